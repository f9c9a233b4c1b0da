/** One address per line, plain or as `Ana Silva <ana@company.com>`. The contract validates the addresses. */
export function readMailboxLines(text: string): { address: string; name: string | null }[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const from = line.lastIndexOf('<')
      if (from < 0 || !line.endsWith('>')) return { address: line, name: null }
      const name = line.slice(0, from).replaceAll('"', '').trim()
      return { address: line.slice(from + 1, -1).trim(), name: name || null }
    })
}
