// Verdicts of a JavaScript engine's RegExp on regular expressions.
//
// usage: node golden_patterns.mjs OUT COUNT
//
// Writes OUT, JSON: strings, and cases of a pattern with its verdict, by the flag u: "!" where
// the pattern is no pattern, else a hexadecimal digit for each four strings, the first string
// its highest bit; 1 is found. Random patterns are tried on the first strings alone. Where the flag u alone refuses a pattern its verdict without
// the flag follows a "?". COUNT patterns are random, the others written here.
import { writeFileSync } from 'node:fs'

let seed = 20
function random (n) { // mulberry32
  seed = (seed + 0x6d2b79f5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) % n
}
const of = (...list) => list[random(list.length)]
const times = (n, f) => Array.from({ length: n }, f).join('')

const written = [
  '', '^', '$', '^$', 'a^b', 'a$b', '$^', '(^|b)a', 'a($|b)', '^^a$$', '(a|^)b', '(?:^a|b$)',
  '^\\S+$', '^\\s+$', '\\s', '\\S', '^\\w+$', '\\W', '^\\d+$', '\\D', '^.$', '^.*$', '^[^]$', '^[]$', '[]', '^[\\s\\S]*$', '^[\\w-]+$', '^[\\d.,]+$',
  '\\u0061', '^\\u{61}+$', '\\u{1F600}', '\\uD83D\\uDE00', '^[\\uD83D\\uDE00]$', '\\uD83D', '[\\uD83D]', '^[\\u{1F600}-\\u{1F64F}]$', '\\x61', '\\cJ', '\\cj', '[\\cJ]', '\\0', '\\t\\n\\v\\f\\r',
  '\\u{110000}', '\\u{}', '\\u{0000000061}', '\\u61', '\\x6', '\\c1', '\\c', '\\00', '\\01', '\\u{61', '\\u',
  'a{2}', '^a{2,}$', '^a{2,3}$', '^a{0}$', '^(ab){1,2}$', '^a{1,2000}$', '^[a-z]{1,1500}$', 'a{2,1}', 'a{', 'a{1', 'a{,2}', 'a{1,2', '{', '}', ']', 'a{1}{2}', 'a**', 'a+?', 'a*?b', 'a??b', 'a{1,2}?b', 'a++', '*', '+a', '?', 'a|*', '(*)', '(?)', 'a{00002}', 'a{99999999999999999999,99999999999999999998}',
  '\\bab\\b', '\\Bb', 'a\\B', '^\\b', '\\b$', '\\B', '\\b', '^\\B$', '\\b\\B', '\\ba|b\\b', '(\\b|a)+b', '\\b{2}', '[\\b]', '[\\B]', '^a\\b.*\\bb$', 'é\\b', '\\bé',
  'a(?=b)', 'a(?!b)', '(?<=a)b', '(?<!a)b', '^(?=.*b)(?=.*a).{2,4}$', '^(?!.*ab)[ab]*$', '^(?!ab$)', '(?=a)b', '(?!a)a', '(?<=^a)b', '(?<=a$)', '(?<=(?<=a)b)a', '(?<!(?<!a)b)a', '(?=a(?!b)).', '(?!a(?=b)).', '(?!(?!a))', '(?=(?<=a)b)b', '(?=\\b)a', '^(?=[^a]*a)(?!.*\\d)', '(?=a)*', '(?!a)+', '(?<=a)?', '(?=a|$)', '(?!.)', '(?<!.)', '(?<!\\n)a$', 'a(?=$)', '(?=^)a', '(?:(?=a)|b)+$', '((?=a)a|(?!a)b){2,3}$', '(?<=a{2})b', '(?<=\\w\\b)-', '(?<=\\b)a', '(?<=ab|b)a', '(?=(a|ab)*$)b', '^(?:(?!ab).)*$', '^(?!.*(a)\\b)', '(?<!^)a(?!$)',
  '(?<n>a)b', '(?<n>a)(?<n>b)', '(?<1>a)', '(?<>a)', '(?<n', '(?<n>', '(?<\\u0061>b)', '(?<$_é>a)', '(?<a-b>a)', '(a', 'a)', '(', ')', '(?:a', '(?a)', '(?#a)', '(?<a)', '((((a))))', '()', '(|)', '(?:)', 'a||b', '|',
  '\\A', '\\z', '\\Z', '(?P<n>a)', '(?i)a', '(?s).', '(?m)^a$', '(?U)a*', '[[:alpha:]]', '^[[:alpha:]]$', '\\pL', '\\p{^L}', '\\Qa\\E', '\\a', '\\C', '\\h', '\\x{61}', '\\X', '\\R', '\\G', '\\e', '\\y', '\\_', '\\-', '\\"', '\\@', '\\ ', '\\#', "\\'", '\\%', '\\:', '\\<', '\\!', '\\&', '\\~', '\\`', '\\,', '\\=', '\\;', '[\\-]', '[\\_]', '[\\"]', '\\/', '\\^\\$\\.\\*\\+\\?\\(\\)\\[\\]\\{\\}\\|\\\\', '^[\\w\\-\\.]+$', '^[\\w.-]+@[\\w-]+\\.[a-z]{2,}$', '\\é', '\\😀', '\\', '[\\', '[a', '[a-', '[', '[^', '[b-a]', '[a-\\d]', '[\\d-a]', '[\\d-\\w]', '[a-]', '[-a]', '[a-b-c]', '[--a]', '[^-]', '[a^]', '[[]', '[]]', '[.]', '[$]', '[(]', '[\\n-\\r]', '[\\x61-\\u0062]', '[&&]', '[a--b]', '[\\w&&a]', '[é-\\u{1F600}]',
  '\\p{L}', '\\P{L}', '^\\p{Lu}$', '\\p{Letter}', '\\p{General_Category=Lu}', '\\p{gc=Nd}', '\\p{Script=Greek}', '\\p{sc=Grek}', '\\p{Greek}', '\\p{Latin}', '\\p{Script=Han}', '\\p{sc=Cyrl}', '\\p{Alphabetic}', '\\p{Alpha}', '\\p{White_Space}', '\\p{space}', '\\p{ASCII}', '\\p{Any}', '\\p{Assigned}', '\\p{ASCII_Hex_Digit}', '\\p{Uppercase}', '\\p{Lowercase}', '\\p{ID_Start}', '[\\p{ID_Continue}\\u200c\\u200d]', '\\p{Dash}', '\\p{Math}', '\\p{Cn}', '\\p{C}', '\\p{LC}', '\\p{Cased_Letter}', '\\p{punct}', '\\p{digit}', '\\p{cntrl}', '\\p{Zs}', '\\p{Sc}', '\\p{So}', '\\p{Cs}', '\\p{M}', '\\p{Combining_Mark}', '\\p{Foo}', '\\p{L', '\\p', '\\p{}', '\\p{=L}', '\\p{gc=}', '\\p{gc}', '\\p{l}', '\\p{lu}', '\\p{uppercase_letter}', '\\p{Other_Alphabetic}', '\\p{Hyphen}', '\\p{Script=}', '\\p{gc=Greek}', '\\p{sc=Lu}', '\\p{L}{2}', '[\\p{L}\\d]+', '[^\\p{L}]', '[\\P{L}a]', '[\\p{L}-z]', '\\p{General_Category=Uppercase_Letter}', '\\P{Any}', '^[\\p{Lu}\\p{Ll}]+$', '\\p{Ideographic}', '\\p{Emoji}', '\\p{RGI_Emoji}', '\\p{scx=Greek}',
  '\\1', '(a)\\1', '\\2(a)', '\\k<n>', '(?<n>a)\\k<n>', '\\k', '(?<n>a)\\k', '[\\1]', '\\9', '(?i:a)', '(?-i:a)', '(?>a)', '(?|a)', '(?<=a', '(?=', '(?!',
  '^[a-zA-Z_][a-zA-Z0-9_]*$', '^#([0-9a-fA-F]{3}){1,2}$', '^(\\+\\d{1,3} ?)?\\d{2,4}(-\\d{2}){1,3}$', '^\\d{4}-\\d{2}-\\d{2}$', '^(?!-)[a-z0-9-]{1,63}(?<!-)$', '^(?=.*[a-z])(?=.*[A-Z])(?=.*\\d).{4,}$', '^[^\\s@]+@[^\\s@]+$', '^\\/(?:[^/]+\\/)*$', '^(?:a|b)*?b{1,3}$', '^.{2,4}$', '^[^\\n]{0,3}$', 'ﬀ', '^[ -~]*$', '^\\S(.*\\S)?$', '^(?! )[^a]*(?<! )$'
]
const strings = [
  '', 'a', 'b', 'A', 'Z', 'z', '0', '7', '_', '-', ' ', '\n', '\r', '\t', '\v', '\f', '\b', '\0', '\u00a0', '\ufeff', '\u2028', '\u2029', '\u0085', '\u180e', '\u200b', '\u3000', '\u1680', '\u200d',
  'é', 'ß', 'ſ', 'K', 'α', 'Ω', '漢', 'ж', 'ῼ', 'ǅ', '\u0301', 'Ⅷ', '٣', '€', '→', '😀', '😀😀', '\u{10ffff}', '\ue000', '\ufffe', '\u{2fa1d}', '𝒜', 'º', 'ﬀ',
  'aa', 'ab', 'ba', 'bb', 'aaa', 'aab', 'aba', 'abb', 'baa', 'bab', 'bba', 'bbb', 'abab', 'abba', 'aabb', 'baab', 'aaaa', 'bbbb', 'ababa', 'aababb', 'a b', 'a-b', 'b a', 'ab ab', '-ab', 'ab-', ' ab', 'a\nb', 'b\n', '\na', 'éa', 'aé', 'é b', 'a😀', '😀b', 'a_b', 'a1', '1a', 'a.b', '..', '.', 'b-a-b', 'a  b', '\u00a0a', 'a\u2028b', 'ab\u00a0',
  'u{61}', 'u0061', 'x61', '^', '$', '*', '+', '?', '(', ')', '[', ']', '{', '}', '|', '\\', '/', '"', "'", '@', '#', '%', ':', ';', '<', '=', '!', '&', '~', '`', ',', 'a{', 'a{1', 'a{,2}', '^$.*+?()[]{}|\\', '[:alpha:]', 'a:', 'pL', 'z]', 'a&&', 'b]', '-]', '^a', 'cJ', '\u0001', '\n\n', '\t\n\v\f\r',
  // from here on too long for random patterns, whose search may take exponential time
  'name_1', '#a0F', '#a0F1b2', '+49 30-12', '2024-01-31', 'a-b-c', '-a', 'aB3x', 'aB3', 'me@example.org', 'a@b', '/a/b/', '//', 'hello world', 'éß', 'Straße', 'αβγ', 'ab'.repeat(20), 'a'.repeat(64), 'a'.repeat(1501)
]
while (strings.length % 4) strings.push('x'.repeat(strings.length % 4))
const few = strings.indexOf('name_1') & ~3

function atom (depth) {
  switch (random(depth > 0 ? 16 : 8)) {
    case 0: case 1: case 2: return of('a', 'b', 'a', 'b', '-', ' ', 'é', '😀', '_', '\\n', '1')
    case 3: return of('.', '\\w', '\\W', '\\d', '\\D', '\\s', '\\S')
    case 4: return of('[ab]', '[^a]', '[^b\\n]', '[a-z_]', '[\\w-]', '[^\\s]', '[\\S😀]', '[é-\\uffff]', '[\\W\\d]', '[]', '[^]')
    case 5: return of('\\u0061', '\\x62', '\\u{62}', '\\p{L}', '\\P{L}', '\\p{Lu}', '\\cJ', '\\p{Script=Latin}')
    case 6: case 7: return of('^', '$', '\\b', '\\B', 'a', 'b')
    case 8: case 9: case 10: return '(' + of('', '?:', '?:') + either(depth - 1) + ')'
    case 11: return '(?<' + of('n', 'm', 'é$', 'q1') + '>' + either(depth - 1) + ')'
    case 12: return '(?=' + either(depth - 1) + ')'
    case 13: return '(?!' + either(depth - 1) + ')'
    case 14: return '(?<=' + either(depth - 1) + ')'
    default: return '(?<!' + either(depth - 1) + ')'
  }
}
function term (depth) {
  const a = atom(depth)
  if (/^(\^|\$|\\[bB]|\(\?<?[=!])/.test(a) && random(20)) return a
  return a + of('', '', '', '*', '+', '?', '*?', '{2}', '{1,3}', '{0,2}', '{2,}?', '??')
}
const sequence = depth => times(random(4) + (random(3) ? 1 : 0), () => term(depth))
const either = depth => sequence(depth) + (random(4) ? '' : '|' + sequence(depth))
function broken (p) { // one character more or less
  const at = random(p.length + 1)
  const c = of('(', ')', '[', ']', '{', '}', '*', '+', '?', '|', '\\', '^', '$', '-', ',', '1', 'b', '<', '>', '=', '!', ':')
  return random(2) ? p.slice(0, at) + c + p.slice(at) : p.slice(0, at) + p.slice(at + 1)
}

// The standard begins a search at code points alone (RegExpBuiltinExec, AdvanceStringIndex);
// V8 looks for an empty match within a pair of surrogates too, so each place is asked for.
function found (re, text) {
  if (!re.unicode || !/[\u{10000}-\u{10ffff}]/u.test(text)) return re.test(text)
  const here = new RegExp(re.source, 'uy')
  for (let i = 0; i <= text.length; i += text.codePointAt(i) > 0xffff ? 2 : 1) {
    here.lastIndex = i
    if (here.test(text)) return true
  }
  return false
}
function verdict (pattern, flags, count) {
  let re
  try { re = new RegExp(pattern, flags) } catch { return '!' }
  let out = ''
  for (let i = 0; i < count; i += 4) {
    out += strings.slice(i, i + 4).reduce((n, s) => 2 * n + Number(found(re, s)), 0).toString(16)
  }
  return out
}
const patterns = new Set(written)
const size = written.length + Number(process.argv[3])
while (patterns.size < size) {
  let p = (random(3) ? '' : '^') + either(3) + (random(3) ? '' : '$')
  if (!random(4)) p = broken(p)
  if (p.length < 60 && p.isWellFormed()) patterns.add(p)
}
const cases = []
for (const pattern of patterns) {
  const count = written.includes(pattern) ? strings.length : few
  let v = verdict(pattern, 'u', count)
  if (v === '!') {
    const legacy = verdict(pattern, '', count)
    if (legacy !== '!') v += '?' + legacy
  }
  cases.push([pattern, v])
}
writeFileSync(process.argv[2], '{"unicode":' + JSON.stringify(process.versions.unicode) + ',\n"strings":' + JSON.stringify(strings) + ',\n"cases":[\n' + cases.map(c => JSON.stringify(c)).join(',\n') + '\n]}\n')
