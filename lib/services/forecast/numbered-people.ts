/** Size of a UUID as sent by Postgres' `uuid_send`. */
export const UUID_BYTES = 16
const WORDS = UUID_BYTES / 4

/**
 * Numbers people from 0 in the order they are added, and finds them by their packed ids. Ten campaigns over
 * the same people name each of them ten times; a map keyed by strings would take longer than reading the
 * people from the database.
 */
export interface NumberedPeople {
  readonly size: number
  /** The number of the id at `offset`; assigns one if the id is new. */
  add(packed: Buffer, offset: number): number
  /** −1 if the id was never added. */
  find(packed: Buffer, offset: number): number
  /** The ids as strings, in numeric order. */
  ids(): string[]
}

export function numberPeople(): NumberedPeople {
  let size = 0
  /** Four 32-bit words per id, by number. */
  let words = new Int32Array(1024 * WORDS)
  /** Open-addressing hash table of number + 1; 0 marks a free slot. At most half full. */
  let table = new Int32Array(2048)

  /** The slot of an id, or the free slot where it belongs. */
  function placeAt(packed: Buffer, offset: number): number {
    const a = packed.readInt32BE(offset)
    const b = packed.readInt32BE(offset + 4)
    const c = packed.readInt32BE(offset + 8)
    const d = packed.readInt32BE(offset + 12)
    const last = table.length - 1
    let place = spread(a, b, c, d) & last
    for (;;) {
      const number = (table[place] ?? 0) - 1
      const at = number * WORDS
      if (
        number < 0 ||
        (words[at + 3] === d && words[at + 2] === c && words[at + 1] === b && words[at] === a)
      )
        return place
      place = (place + 1) & last
    }
  }

  function grow(): void {
    const more = new Int32Array(words.length * 2)
    more.set(words)
    words = more
    table = new Int32Array(table.length * 2)
    const last = table.length - 1
    for (let number = 0; number < size; number++) {
      const [a = 0, b = 0, c = 0, d = 0] = words.subarray(number * WORDS, number * WORDS + WORDS)
      let place = spread(a, b, c, d) & last
      while (table[place] !== 0) place = (place + 1) & last
      table[place] = number + 1
    }
  }

  return {
    get size() {
      return size
    },
    add(packed, offset) {
      if (size * 2 >= table.length) grow()
      const place = placeAt(packed, offset)
      const number = (table[place] ?? 0) - 1
      if (number >= 0) return number
      for (let word = 0; word < WORDS; word++)
        words[size * WORDS + word] = packed.readInt32BE(offset + word * 4)
      table[place] = size + 1
      return size++
    },
    find: (packed, offset) => (table[placeAt(packed, offset)] ?? 0) - 1,
    ids() {
      const packed = Buffer.alloc(size * UUID_BYTES)
      for (let word = 0; word < size * WORDS; word++) packed.writeInt32BE(words[word] ?? 0, word * 4)
      return packed.toString('hex').match(/.{32}/g) ?? []
    },
  }
}

/** Ids created in the same millisecond differ only in their last words. */
function spread(a: number, b: number, c: number, d: number): number {
  const mixed =
    Math.imul(d ^ Math.imul(c, 0x9e3779b1), 0x85ebca6b) ^ Math.imul(b ^ Math.imul(a, 0xc2b2ae35), 0x27d4eb2f)
  return mixed ^ (mixed >>> 15)
}
