/** The fields read of an advisory in the OSV schema: https://ossf.github.io/osv-schema/ */
export type Advisory = {
  id: string
  summary: string
  affected: {
    package: { ecosystem: string; name: string }
    ranges?: { type: string; events: { introduced?: string; fixed?: string; last_affected?: string }[] }[]
    versions?: string[]
  }[]
}

/** The fields read of package-lock.json. An alias (`npm:name@version`) has its real package under `name`. */
export type Lock = { packages: Record<string, { name?: string; version?: string; dev?: boolean }> }

export type Weakness = { id: string; summary: string; name: string; version: string }

type Version = { numbers: number[]; before: string[] }

function readVersion(text: string): Version {
  const [release = '', ...before] = (text.split('+', 1)[0] ?? '').split('-')
  return { numbers: release.split('.').map(Number), before: before.join('-').split('.').filter(Boolean) }
}

const isNumber = (text: string) => text !== '' && [...text].every((sign) => sign >= '0' && sign <= '9')

/** Compares one part of a pre-release by the rules of semver 2.0.0: fewer parts first, numbers before words. */
function comparePart(one: string | undefined, other: string | undefined): number {
  if (one === other) return 0
  if (one === undefined || other === undefined) return one === undefined ? -1 : 1
  if (isNumber(one) && isNumber(other)) return Number(one) - Number(other)
  if (isNumber(one) !== isNumber(other)) return isNumber(one) ? -1 : 1
  return one < other ? -1 : 1
}

/** Below zero if `one` comes first. */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [readVersion(one), readVersion(other)]
  for (const place of [0, 1, 2]) {
    const difference = (a.numbers[place] ?? 0) - (b.numbers[place] ?? 0)
    if (difference !== 0) return difference
  }
  if (a.before.length === 0 || b.before.length === 0) return b.before.length - a.before.length
  for (const place of Array(Math.max(a.before.length, b.before.length)).keys()) {
    const difference = comparePart(a.before[place], b.before[place])
    if (difference !== 0) return difference
  }
  return 0
}

type Affected = Advisory['affected'][number]

function isAffected({ ranges = [], versions = [] }: Affected, version: string): boolean {
  if (versions.includes(version)) return true
  return ranges.some(({ type, events }) => {
    if (type === 'GIT') return false
    let isIn = false
    for (const { introduced, fixed, last_affected } of events) {
      if (introduced !== undefined && (introduced === '0' || compareVersions(version, introduced) >= 0))
        isIn = true
      if (fixed !== undefined && compareVersions(version, fixed) >= 0) isIn = false
      if (last_affected !== undefined && compareVersions(version, last_affected) > 0) isIn = false
    }
    return isIn
  })
}

/** Every package of a lock file that one of the advisories is about, including development packages. */
export function knownWeaknesses(lock: Lock, advisories: readonly Advisory[]): Weakness[] {
  const installed = Object.entries(lock.packages).flatMap(([place, entry]) => {
    const under = place.split('node_modules/').at(-1) ?? ''
    // A package republished under another name is still the original work.
    return entry.version
      ? [...new Set([under, entry.name ?? under])].map((name) => ({ name, version: entry.version ?? '' }))
      : []
  })
  const weaknesses = installed.flatMap(({ name, version }) =>
    advisories
      .filter(({ affected }) =>
        affected.some(
          (one) => one.package.ecosystem === 'npm' && one.package.name === name && isAffected(one, version),
        ),
      )
      .map(({ id, summary }) => ({ id, summary, name, version })),
  )
  return [...new Map(weaknesses.map((one) => [`${one.id} ${one.name} ${one.version}`, one])).values()]
}
