// Plain JavaScript: it runs before anything is installed, on the Node that the machine has.

/** The first minor of each line of Node on which the packages can be installed: some refuse older ones, after minutes of it. */
const FIRST = new Map([
  [20, 19],
  [22, 12],
])
const FROM = 24

/** Why nothing can be installed on this Node; null where it can. */
export function nodeFault(version) {
  const [major, minor] = version.split('.').map(Number)
  if (major >= FROM || minor >= (FIRST.get(major) ?? Number.POSITIVE_INFINITY)) return null
  return `Node ${version} cannot install Opener: use Node 24 or newer, 22.12 or newer of 22, or 20.19 or newer of 20.`
}
