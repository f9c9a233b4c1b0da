/** The smallest part of the input, found within so many tries, for which `isFaulty` still holds. */
export async function shrunk(
  input: Uint8Array,
  isFaulty: (input: Uint8Array) => Promise<boolean>,
  tries: number,
): Promise<Uint8Array> {
  let kept = input
  let left = tries
  for (let size = Math.ceil(input.length / 2); size >= 1; ) {
    const before = kept.length
    for (let at = 0; at < kept.length && left > 0; left--) {
      const without = Buffer.concat([kept.subarray(0, at), kept.subarray(at + size)])
      if (await isFaulty(without)) kept = without
      else at += size
    }
    if (left <= 0) return kept
    // Repeats with pieces of one byte as long as that removes anything.
    if (size === 1 && kept.length === before) return kept
    size = Math.max(1, Math.floor(size / 2))
  }
  return kept
}
