import type { Target } from '#tests/support/fuzz/target'

/** Random numbers in [0, 1), the same for the same seed. */
export type Lots = () => number

const upTo = (lots: Lots, most: number) => Math.floor(lots() * most)
const oneOf = <T>(lots: Lots, list: readonly T[]): T => list[upTo(lots, list.length)] as T

/** Bytes and multi-byte characters that parsers commonly get wrong. */
const ODD = [
  [0],
  [9],
  [10],
  [13],
  [13, 10],
  [32],
  [34],
  [39],
  [38],
  [60],
  [92],
  [0x7f],
  [0x80],
  [0xff],
  [0xc3],
  [0xe2, 0x80, 0xa8],
  [0xef, 0xbb, 0xbf],
  [0xf0, 0x9f, 0x91, 0x8d],
  [0xed, 0xa0, 0x80],
]
const NUMBERS = ['0', '-1', '1e999', '2147483648', '4294967295', '9007199254740993', '0x1f', '٣', '00', '.5']
/** How often the repeated slice may appear in the input. */
const REPEATS = [2, 2, 2, 3, 3, 5, 10, 20, 50, 200, 5_000]

type Mutation = (bytes: Uint8Array, lots: Lots, target: Target, others: readonly Uint8Array[]) => Uint8Array

const spliced = (bytes: Uint8Array, from: number, to: number, middle: Uint8Array | number[]) => {
  const made = new Uint8Array(from + middle.length + bytes.length - to)
  made.set(bytes.subarray(0, from))
  made.set(middle, from)
  made.set(bytes.subarray(to), from + middle.length)
  return made
}

/** Start and end of a slice, short more often than long. */
function slice({ length }: Uint8Array, lots: Lots): [from: number, to: number] {
  const from = upTo(lots, length + 1)
  return [from, from + upTo(lots, Math.min(length - from, lots() < 0.7 ? 16 : length) + 1)]
}

const text = new TextEncoder()

const MUTATIONS: readonly Mutation[] = [
  // Flips a bit.
  (bytes, lots) => {
    const at = upTo(lots, bytes.length)
    return spliced(bytes, at, Math.min(bytes.length, at + 1), [(bytes[at] ?? 0) ^ (1 << upTo(lots, 8))])
  },
  // Replaces a byte by an odd one, or inserts one.
  (bytes, lots) => {
    const at = upTo(lots, bytes.length + 1)
    return spliced(bytes, at, Math.min(bytes.length, at + upTo(lots, 2)), oneOf(lots, ODD))
  },
  (bytes, lots) => spliced(bytes, ...slice(bytes, lots), []),
  // Repeats a slice once or many times.
  (bytes, lots, { max }) => {
    const [from, to] = slice(bytes, lots)
    const unit = bytes.subarray(from, to)
    if (unit.length === 0) return bytes
    const room = Math.floor((max - bytes.length) / unit.length)
    const times = Math.max(0, Math.min(oneOf(lots, REPEATS), room))
    const many = new Uint8Array(unit.length * times)
    for (let at = 0; at < many.length; at += unit.length) many.set(unit, at)
    return spliced(bytes, to, to, many)
  },
  // Moves a slice to another place.
  (bytes, lots) => {
    const [from, to] = slice(bytes, lots)
    const [at] = slice(bytes, lots)
    return spliced(bytes, at, Math.min(bytes.length, at + upTo(lots, 2) * (to - from)), bytes.slice(from, to))
  },
  // Inserts a word of the format, twice as likely as any other change.
  ...Array.from(
    { length: 2 },
    (): Mutation =>
      (bytes, lots, { words }) => {
        const at = upTo(lots, bytes.length + 1)
        return spliced(bytes, at, Math.min(bytes.length, at + upTo(lots, 8)), text.encode(oneOf(lots, words)))
      },
  ),
  // Replaces a number.
  (bytes, lots) => {
    const digits = [...bytes.keys()].filter((at) => isDigit(bytes[at]))
    const at = oneOf(lots, digits)
    if (at === undefined) return bytes
    let end = at
    while (isDigit(bytes[end])) end += 1
    return spliced(bytes, at, end, text.encode(oneOf(lots, NUMBERS)))
  },
  // Joins the beginning of one input and the end of another.
  (bytes, lots, _target, others) => {
    const other = oneOf(lots, others) ?? bytes
    return spliced(bytes, ...slice(bytes, lots), other.subarray(...slice(other, lots)))
  },
]

const isDigit = (byte: number | undefined) => byte !== undefined && byte >= 48 && byte <= 57

/** A new input made from a known one by one to five changes. */
export function mutated(
  bytes: Uint8Array,
  lots: Lots,
  target: Target,
  others: readonly Uint8Array[],
): Uint8Array {
  let made = bytes
  for (let left = 1 + upTo(lots, 5); left > 0; left--)
    made = oneOf(lots, MUTATIONS)(made, lots, target, others)
  return made.length > target.max ? made.slice(0, target.max) : made
}
