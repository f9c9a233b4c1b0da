/** The limits of one group: number of mails, and memory. */
const MOST = 50
const MOST_BYTES = 2 * 1024 * 1024

/** Groups mails in order. A mail larger than a group's limit is a group of its own. */
export function together<T>(mails: readonly T[], size: (mail: T) => number): T[][] {
  const groups: T[][] = []
  let bytes = 0
  for (const mail of mails) {
    const group = groups.at(-1)
    if (group && group.length < MOST && bytes + size(mail) <= MOST_BYTES) group.push(mail)
    else {
      groups.push([mail])
      bytes = 0
    }
    bytes += size(mail)
  }
  return groups
}
