package jinja

import "strings"

// methodsOf are the methods that the immutable sandbox lets through.
func methodsOf(v Value) map[string]*builtin {
	switch v.(type) {
	case string, markup:
		return stringMethods
	case *List:
		return listMethods
	case Tuple, *grouped:
		return tupleMethods
	case *Dict:
		return dictMethods
	case int, bool:
		return intMethods
	case float64:
		return floatMethods
	case numbers:
		return tupleMethods
	case view:
		return viewMethods
	case *cycler:
		return cyclerMethods
	case *loop:
		return loopMethods
	}
	return nil
}

// hidden are the methods that the sandbox hides, for they change their object.
func hidden(v Value) string {
	switch v.(type) {
	case *List:
		return " append clear pop reverse insert sort extend remove "
	case *Dict:
		return " clear pop popitem setdefault update "
	}
	return ""
}

// every Python object has these, and the sandbox hides them.
const dunders = " __class__ __delattr__ __dir__ __doc__ __eq__ __format__ __ge__ __getattribute__ __gt__ __hash__ __init__ __init_subclass__ " +
	"__le__ __lt__ __ne__ __new__ __reduce__ __reduce_ex__ __repr__ __setattr__ __sizeof__ __str__ __subclasshook__ "

// attribute is an attribute of the Python object; false where it has none of that
// name.
func (r *run) attribute(of Value, id string) (Value, bool) {
	switch of := of.(type) {
	case *undefined:
		fail("%s", of.why)
	case *namespace:
		return of.attrs.get(id)
	}
	if strings.Contains(dunders+hidden(of), " "+id+" ") {
		return missing("access to attribute " + quote(id) + " of " + quote(typeName(of)+" object") + " is unsafe"), true
	}
	if m := methodsOf(of)[id]; m != nil {
		return function{id, of, m}, true
	}
	return r.property(of, id)
}

func (r *run) property(of Value, id string) (Value, bool) {
	switch of := of.(type) {
	case *loop:
		return of.property(id)
	case *macro:
		return of.property(id)
	case *grouped:
		v, ok := map[string]Value{"grouper": of.key, "list": of.list}[id]
		return v, ok
	case numbers:
		v, ok := map[string]Value{"start": of.start, "stop": of.stop, "step": of.step}[id]
		return v, ok
	case *cycler:
		v, ok := map[string]func() Value{"current": of.current, "pos": func() Value { return of.pos }, "items": func() Value { return of.items }}[id]
		if !ok {
			return nil, false
		}
		return v(), true
	case *joiner:
		v, ok := map[string]Value{"sep": of.sep, "used": of.used}[id]
		return v, ok
	case view:
		if id == "mapping" {
			return fail("mapping of a %s is not supported", typeName(of)), true
		}
	case int, bool:
		i, _ := asInt(of)
		v, ok := map[string]Value{"real": i, "imag": 0, "numerator": i, "denominator": 1}[id]
		return v, ok
	case float64:
		v, ok := map[string]Value{"real": of, "imag": 0.0}[id]
		return v, ok
	}
	return nil, false
}

var listMethods = map[string]*builtin{
	"index": def("-value -start? -stop?", sequenceIndex),
	"count": def("-value", sequenceCount),
	"copy":  def("", func(r *run, self Value, a args) Value { return self.(*List) }),
}

var tupleMethods = map[string]*builtin{"index": listMethods["index"], "count": listMethods["count"]}

func sequenceIndex(r *run, self Value, a args) Value {
	items := r.items(self)
	n := len(items)
	from, to := r.limit(a.or(1, 0), 0, n, 0, n), r.limit(a.or(2, n), n, n, 0, n)
	for i := from; i < to; i++ {
		if r.equal(items[i], a.bound[0]) {
			return i
		}
	}
	return fail("%s is not in the %s", r.describe(a.bound[0]), typeName(self))
}

func sequenceCount(r *run, self Value, a args) Value {
	n := 0
	for _, item := range r.items(self) {
		if r.equal(item, a.bound[0]) {
			n++
		}
	}
	return n
}

var dictMethods = map[string]*builtin{
	"get": def("-key -default?", func(r *run, self Value, a args) Value {
		r.walk(a.bound[0])
		if v, ok := self.(*Dict).get(a.bound[0]); ok {
			return v
		}
		return a.or(1, nil)
	}),
	"keys":   def("", func(r *run, self Value, a args) Value { return view{"keys", self.(*Dict)} }),
	"values": def("", func(r *run, self Value, a args) Value { return view{"values", self.(*Dict)} }),
	"items":  def("", func(r *run, self Value, a args) Value { return view{"items", self.(*Dict)} }),
	"copy":   def("", func(r *run, self Value, a args) Value { return r.dict(args{pos: []Value{self}}) }),
	"fromkeys": def("-keys -value?", func(r *run, self Value, a args) Value {
		d := NewDict()
		for _, k := range r.items(a.bound[0]) {
			r.walk(k)
			d.put(k, a.or(1, nil))
		}
		return d
	}),
}

var viewMethods = map[string]*builtin{
	"isdisjoint": def("-other", func(r *run, self Value, a args) Value {
		for _, item := range r.items(a.bound[0]) {
			if r.contains(self, item) {
				return false
			}
		}
		return true
	}),
}
