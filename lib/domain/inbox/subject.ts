const PREFIX =
  /^\s*((re|aw|sv|vs|antw|odp|ref|rif|r|fw|fwd|wg|tr|rv|enc|doorst|vb|res|回复|答复|转发)(\[\d+\])?\s*[:：]|\[(external|ext)\])\s*/iu

/** A subject without the prefixes of replies and gateways, for comparing threads. */
export function bareSubject(subject: string): string {
  let bare = subject.slice(0, 1_000)
  for (let turns = 0; turns < 20 && PREFIX.test(bare); turns++) bare = bare.replace(PREFIX, '')
  return bare.trim().replace(/\s+/g, ' ').toLowerCase()
}
