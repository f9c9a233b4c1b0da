import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { db, pool } from '#lib/db/client'
import { readMigrations } from '#lib/db/migrate'
import { profileAddressOn, profileKey } from '#lib/domain/social/profile-address'
import { SOCIAL_NETWORKS } from '#lib/domain/social/social-profile'
import { identifyRows } from '#lib/services/leads/people/identify'
import { readPerson } from '#lib/services/leads/people/person'
import { aDataset, aUser } from '#tests/support/scenes/factories'

type Written = { network: string; text: string }

async function keysInSql(all: Written[]): Promise<string[]> {
  const { rows } = await pool().query<{ key: string }>(
    `SELECT profile_key(n, t) AS key FROM unnest($1::text[], $2::text[]) WITH ORDINALITY u (n, t, place) ORDER BY place`,
    [all.map(({ network }) => network), all.map(({ text }) => text)],
  )
  return rows.map(({ key }) => key)
}

const SPELLINGS = [
  'https://www.linkedin.com/in/jos%C3%A9',
  'https://de.linkedin.com/in/jos%c3%a9/',
  'linkedin.com/in/José?trk=1',
  'http://linkedin.com/in/JOS%C3%89/en',
  'linkedin.com/in/jose\u0301',
  'linkedin.com/in/jos%25C3%25A9',
  'in/josé',
  'josé',
  '@José ',
  '<https://linkedin.com/in/josé>',
  'jos%C3%A9',
]

describe('what a profile is known by', () => {
  test('is one for all spellings, in the database as here', async () => {
    const all = SPELLINGS.map((text) => ({ network: 'linkedin', text }))
    const here = all.map(({ network, text }) => profileKey(network, text))
    expect(new Set(here)).toEqual(new Set(['linkedin.com/in/josé']))
    expect(await keysInSql(all)).toEqual(here)
  })

  test.each([
    ['twitter', 'https://twitter.com/Ada', 'x.com/ada'],
    ['twitter', '@Ada', 'x.com/ada'],
    ['twitter', 'x.com/search', 'x.com/search'],
    ['telegram', 'telegram.me/ada', 't.me/ada'],
    ['linkedin', 'https://www.linkedin.com/company/acme/', 'linkedin.com/company/acme'],
    ['linkedin', 'x.com/ada', 'x.com/ada'],
    ['linkedin', 'Ada Lovelace', 'ada lovelace'],
    ['linkedin', 'linkedin.com/in/a%zz', 'linkedin.com/in/a%zz'],
    ['linkedin', 'linkedin.com/in/a%C3', 'linkedin.com/in/a%c3'],
    ['linkedin', 'linkedin.com/in/a%00', 'linkedin.com/in/a%00'],
    ['linkedin', 'linkedin.com/in/%ED%A0%80', 'linkedin.com/in/%ed%a0%80'],
    ['linkedin', `linkedin.com/in/${'a'.repeat(600)}`, `linkedin.com/in/${'a'.repeat(600)}`],
    ['whatsapp', '+49 170 1234567', '+49 170 1234567'],
    ['linkedin', ' ', ''],
    ['mastodon', 'https://www.social.test/@ada/', 'social.test/@ada'],
  ])('%s: %s', async (network, text, key) => {
    expect(profileKey(network, text)).toBe(key)
    expect(await keysInSql([{ network, text }])).toEqual([key])
  })

  test('is the same here and in the database, whatever is written, and an address is known by itself', async () => {
    const parts = fc.constantFrom(
      ...[
        'https://',
        'HTTP://',
        'www.',
        'm.',
        'uk.',
        'linkedin.com',
        'x.com',
        'twitter.com',
        't.me',
        'instagram.com',
      ],
      ...[
        '/',
        '//',
        'in/',
        '@',
        '?',
        '#',
        ':443/',
        '<',
        '>',
        ' ',
        '\n',
        '\u00a0',
        '\ufeff',
        ',',
        '.',
        '-',
        '_',
        '|',
      ],
      ...[
        'ada',
        'ADA',
        'josé',
        'JOSÉ',
        'jose\u0301',
        'Σ',
        'ΟΔΟΣ',
        'İ',
        'ß',
        'ж',
        '李',
        '🙂',
        'search',
        'p',
        'reel',
      ],
      ...[
        '%C3%A9',
        '%c3%89',
        '%25',
        '%',
        '%2',
        '%2F',
        '%40',
        '%00',
        '%C3',
        '%ED%A0%80',
        '%F0%9F%99%82',
        '%C0%80',
        '%20',
      ],
    )
    const written = fc.record({
      network: fc.constantFrom(...SOCIAL_NETWORKS, 'mastodon', ''),
      text: fc.oneof(
        fc.array(parts, { maxLength: 8 }).map((some) => some.join('')),
        fc.string({ maxLength: 30 }).map((text) => text.replaceAll('\0', '')),
      ),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(written, { minLength: 1, maxLength: 100 }), async (all) => {
        const here = all.map(({ network, text }) => profileKey(network, text))
        expect(await keysInSql(all)).toEqual(here)
        // A key with invalid percent-encoding stays as it is until it is corrected.
        const addresses = all.flatMap(({ network, text }, at) =>
          profileAddressOn(network, text) !== null && !here[at]?.includes('%') ? [here[at] ?? ''] : [],
        )
        expect(addresses.map((address) => profileKey('linkedin', address))).toEqual(addresses)
      }),
      { numRuns: 50 },
    )
  })
})

describe('people', () => {
  test('whose profile lists spell otherwise are one person', async () => {
    const owner = await aUser()
    const { workspace_id } = owner
    const leads = SPELLINGS.map((linkedin_url) => ({ email: null, linkedin_url }))
    const { dataset_id } = await aDataset(owner, leads)
    await identifyRows(pool(), { workspace_id, dataset_id, which: 'true', values: [] }, 'linkedin')
    const people = await db.person.findMany({ where: { workspace_id } })
    expect(people.map(({ profile }) => profile)).toEqual(['linkedin:linkedin.com/in/josé'])
    const [person] = people
    expect((await readPerson(workspace_id, person?.person_id ?? '')).identities).toHaveLength(1)
  })
})

test('people kept in other spellings get the one there is now, and nobody is merged or lost', async () => {
  const { workspace_id } = await aUser()
  const kept = (profile: string, email: string | null = null) =>
    db.person.create({ data: { workspace_id, profile, email } })
  const [encoded, plain, handle, employed, number] = [
    await kept('linkedin:linkedin.com/in/ren%c3%a9'),
    await kept('linkedin:linkedin.com/in/josé'),
    await kept('linkedin:josé'),
    await kept('linkedin:linkedin.com/in/jos%c3%a9', 'jose@acme.example'),
    await kept('whatsapp:+49 170 1234567'),
  ]
  const migration = readMigrations().find(({ name }) => name.endsWith('_profiles_by_one_key'))
  await pool().query(migration?.sql.slice(migration.sql.lastIndexOf('WITH "spelled"')) ?? '')
  const people = await db.person.findMany({ where: { workspace_id } })
  expect(new Map(people.map(({ person_id, profile }) => [person_id, profile]))).toEqual(
    new Map([
      [encoded.person_id, 'linkedin:linkedin.com/in/rené'],
      [plain.person_id, 'linkedin:linkedin.com/in/josé'],
      // Both are known by nothing else.
      [handle.person_id, 'linkedin:josé'],
      [employed.person_id, 'linkedin:linkedin.com/in/josé'],
      [number.person_id, 'whatsapp:+49 170 1234567'],
    ]),
  )
  expect(people.every(({ merged_into_id }) => merged_into_id === null)).toBe(true)
  const { alike } = await readPerson(workspace_id, plain.person_id)
  expect(alike.map(({ person_id }) => person_id)).toEqual([handle.person_id, employed.person_id])
})
