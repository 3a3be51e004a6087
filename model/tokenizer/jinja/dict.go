package jinja

import (
	"math"
	"strconv"
)

// A Dict is Python's dict: its keys have the order in which they came.
type Dict struct {
	keys, values []Value
	index        map[string]int // by what hashKey makes of a key
}

// NewDict gives an empty dictionary.
func NewDict() *Dict { return &Dict{index: map[string]int{}} }

// Set adds a value, or puts it in the place of the one that key has.
func (d *Dict) Set(key string, v Value) { d.put(key, v) }

func (d *Dict) put(key, v Value) {
	h := hashKey(key)
	if i, ok := d.index[h]; ok {
		d.values[i] = v
		return
	}
	d.index[h] = len(d.keys)
	d.keys, d.values = append(d.keys, key), append(d.values, v)
}

func (d *Dict) get(key Value) (Value, bool) {
	if i, ok := d.index[hashKey(key)]; ok {
		return d.values[i], true
	}
	return nil, false
}

func (d *Dict) copy() *Dict {
	c := NewDict()
	for i, k := range d.keys {
		c.put(k, d.values[i])
	}
	return c
}

// hashKey is a text that is the same for two values that are equal, as 1, 1.0 and
// True are. A list or a dictionary is refused, as Python refuses it.
func hashKey(v Value) string {
	switch v := v.(type) {
	case nil:
		return "none"
	case string:
		return "s" + v
	case markup:
		return "s" + string(v)
	case int:
		return "i" + strconv.Itoa(v)
	case bool:
		n, _ := asInt(v)
		return "i" + strconv.Itoa(n)
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<63 {
			return "i" + strconv.Itoa(int(v))
		}
		return "f" + strconv.FormatFloat(v, 'g', -1, 64)
	case *undefined:
		return "undefined"
	case *grouped:
		return hashKey(v.tuple())
	case Tuple:
		s := "t"
		for _, item := range v {
			h := hashKey(item)
			s += strconv.Itoa(len(h)) + ":" + h
		}
		return s
	case *List, *Dict, view:
		fail("unhashable type: %q", typeName(v))
	case numbers:
		fail("a range as a key is not supported")
	}
	return identity(v)
}
