import { expect, test } from 'vitest'
import { operations } from '#lib/operations/all'
import { sources } from '#tests/support/code/source-files'

const files = sources()
const dashboard = files.filter(({ file }) => file.startsWith('app/(dashboard)/'))
const actions = dashboard.filter(({ code }) => /^ *'use server'$/m.test(code))

/** By the name under which a file calls it, each import from a service as `module name`; with `* as x` the calls are `x.name`. */
function verbsIn(code: string): Map<string, string> {
  const known = new Map<string, string>()
  for (const [, what = '', module = ''] of code.matchAll(
    /import (?!type )([^;]+?) from '(#lib\/services\/[^']+)'/g,
  )) {
    const whole = /^\* as (\w+)$/.exec(what)?.[1]
    if (whole)
      for (const [call, verb = ''] of code.matchAll(new RegExp(`\\b${whole}\\.(\\w+)`, 'g')))
        known.set(call, `${module} ${verb}`)
    for (const [, name = '', alias] of what.matchAll(/(?<!type )\b(\w+)(?: as (\w+))?(?=[,\s}])/g))
      if (!whole) known.set(alias ?? name, `${module} ${name}`)
  }
  return known
}

const writes = new Set(
  operations
    .filter(({ contract: { method, scope } }) => method !== 'GET' && scope !== 'read' && scope !== null)
    .map(({ contract }) => contract.id),
)

/** Functions of operations that need more than the read scope, and yet change nothing. */
const READING = [
  '#lib/services/workspaces/erasure prepareErasure',
  '#lib/services/workspaces/leaving/workspace-erasure prepareWorkspaceErasure',
  // Picks the model from the environment.
  '#lib/services/personalize/writer configuredWriter',
]

/** The service functions that operations call to change something. */
function writingVerbs(): Set<string> {
  const verbs = new Set<string>()
  for (const { file, code } of files) {
    if (!file.startsWith('lib/operations/')) continue
    const known = verbsIn(code)
    for (const part of code.split(/^export const /m).slice(1)) {
      const name = /^\w+/.exec(part)?.[0] ?? ''
      if (!writes.has(name)) continue
      for (const [call, verb] of known)
        if (new RegExp(`(?<![.\\w])${call.replace('.', '\\.')}\\(`).test(part)) verbs.add(verb)
    }
  }
  for (const reading of READING) verbs.delete(reading)
  return verbs
}

test('server actions and the verbs that write were found', () => {
  expect(actions.length).toBeGreaterThan(25)
  const verbs = writingVerbs()
  expect(verbs.size).toBeGreaterThan(80)
  for (const verb of [
    '#lib/services/launch/lifecycle pauseCampaign',
    '#lib/services/changes/update updateCampaign',
    '#lib/services/inbox/mailboxes/test-servers testServers',
    '#lib/services/posts/delete deleteSocialPost',
  ])
    expect(verbs).toContain(verb)
})

test('no server action of the dashboard goes round the operations', () => {
  const around = actions.filter(({ code }) => /from '#lib\/services\//.test(code))
  expect(around.map(({ file }) => file)).toEqual([])
})

test('no page of the dashboard writes through a service', () => {
  const verbs = writingVerbs()
  const writing = dashboard.flatMap(({ file, code }) =>
    [...new Set(verbsIn(code).values())].filter((verb) => verbs.has(verb)).map((verb) => `${file}: ${verb}`),
  )
  expect(writing).toEqual([])
})
