import { beforeEach, describe, expect, test } from 'vitest'
import { ReadBranding, UpdateBranding } from '#lib/contracts/workspaces/branding'
import { db, pool } from '#lib/db/client'
import { loadMailSender } from '#lib/services/telling/mail-sender'
import { findLogo } from '#lib/services/workspaces/branding'
import { call } from '#tests/support/call'
import { aGif, aJpeg, aPng, aWebp } from '#tests/support/files/images'
import { aUser } from '#tests/support/scenes/factories'
import { aMember } from '#tests/support/scenes/team'

type Person = { workspace_id: string; user_id: string }

let owner: Person
const update = (as: Person, body: Record<string, unknown>) =>
  call(UpdateBranding, { as, params: { workspace_id: owner.workspace_id }, body })
const read = async () =>
  (await call(ReadBranding, { as: owner, params: { workspace_id: owner.workspace_id } })).body
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const digestIn = (url: string | null) => url?.split('/').at(-1) ?? ''

beforeEach(async () => {
  owner = await aUser()
})

test('a workspace has no branding until it chooses one, and fields that are left out stay', async () => {
  const none = {
    ...{ name: null, accent: null, logo_url: null, sender_name: null, reply_to: null, version: 1 },
    ...{ sender_mailbox_id: null, sender_address: null, report_domain: null, report_host: null },
  }
  expect(await read()).toEqual({ workspace_id: owner.workspace_id, inherited_from: null, ...none })
  expect((await update(owner, { name: 'Northwind', accent: '#0B6B52' })).status).toBe(200)
  await update(owner, { reply_to: 'team@northwind.example' })
  expect(await read()).toMatchObject({
    name: 'Northwind',
    accent: '#0b6b52',
    reply_to: 'team@northwind.example',
    version: 3,
  })
  await update(owner, { name: null, accent: null })
  expect(await read()).toMatchObject({ name: null, accent: null, reply_to: 'team@northwind.example' })
})

describe('a logo', () => {
  test.each([
    ['image/png', aPng()],
    ['image/jpeg', aJpeg()],
    ['image/webp', aWebp()],
  ])('is taken and served as %s', async (content_type, file) => {
    const { status, body } = await update(owner, { logo: base64(file) })
    expect(status).toBe(200)
    expect(body.logo_url).toContain(`/files/logos/${owner.workspace_id}/`)
    const logo = await findLogo(owner.workspace_id, digestIn(body.logo_url))
    expect(logo?.content_type).toBe(content_type)
    expect(await findLogo(owner.workspace_id, '0000000000000000')).toBeNull()
  })

  test('that is replaced or removed is no longer served', async () => {
    const first = (await update(owner, { logo: base64(aPng()) })).body
    const second = (await update(owner, { logo: base64(aJpeg()) })).body
    expect(second.logo_url).not.toBe(first.logo_url)
    expect(await findLogo(owner.workspace_id, digestIn(first.logo_url))).toBeNull()
    await update(owner, { logo: null })
    expect((await read()).logo_url).toBeNull()
    expect(await findLogo(owner.workspace_id, digestIn(second.logo_url))).toBeNull()
  })

  test.each([
    ['an SVG', new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')],
    ['HTML', new TextEncoder().encode('<!doctype html><script>alert(1)</script>')],
    ['a GIF', aGif()],
    ['a PNG that is cut off', aPng().slice(0, 40)],
    ['more than 256 KiB', new Uint8Array(256 * 1024 + 1)],
    ['a PNG of too many pixels', aPng({ width: 2_049, height: 10 })],
  ])('is refused where it is %s', async (_, file) => {
    const { status, text } = await update(owner, { logo: base64(file) })
    expect(status).toBe(422)
    expect(text).toContain('logo')
    expect((await read()).logo_url).toBeNull()
  })
})

test.each([
  { accent: 'red' },
  { accent: '#fff' },
  { name: 'Line\r\nBcc: victim@example.com' },
  { sender_name: 'Boss <boss@bank.example>' },
  { name: 'x'.repeat(61) },
  { reply_to: 'nobody' },
  { logo: '***' },
])('422 %o', async (fields) => {
  expect((await update(owner, fields)).status).toBe(422)
  expect((await read()).version).toBe(1)
})

test('an accent on which white text is hard to read is refused with the nearest that works', async () => {
  const { status, text } = await update(owner, { accent: '#ffcc00' })
  expect(status).toBe(422)
  const nearest = /nearest is (#[0-9a-f]{6})/.exec(text)?.[1]
  expect((await update(owner, { accent: nearest })).status).toBe(200)
})

test.each(['member', 'viewer', 'client'] as const)('a %s does not change it', async (role) => {
  const { status, error } = await update(await aMember(owner, role), { name: 'Mine' })
  expect([status, error.detail]).toEqual([403, 'role_insufficient'])
})

test('mail of a workspace comes from its name at the address of the instance', async () => {
  const own = { name: 'Opener', address: 'notifications@opener.example' }
  expect(await loadMailSender(pool(), owner.workspace_id, own)).toEqual({ from: own, reply_to: null })
  expect(await loadMailSender(pool(), null, own)).toEqual({ from: own, reply_to: null })
  await update(owner, { name: 'Northwind' })
  expect((await loadMailSender(pool(), owner.workspace_id, own)).from.name).toBe('Northwind')
  await update(owner, { sender_name: 'Northwind Reports', reply_to: 'team@northwind.example' })
  expect(await loadMailSender(pool(), owner.workspace_id, own)).toEqual({
    from: { name: 'Northwind Reports', address: own.address },
    reply_to: { name: null, address: 'team@northwind.example' },
  })
})

describe('a child', () => {
  const own = { name: 'Opener', address: 'notifications@opener.example' }
  let parent: Person
  const ofParent = (body: Record<string, unknown>) =>
    call(UpdateBranding, { as: parent, params: { workspace_id: parent.workspace_id }, body })
  const sender = () => loadMailSender(pool(), owner.workspace_id, own)

  beforeEach(async () => {
    parent = await aUser()
    const { workspace_id } = owner
    await db.workspace.update({ where: { workspace_id }, data: { parent_workspace_id: parent.workspace_id } })
  })

  test('shows the branding of its parent, in pages and in the sender of its mail, and says so', async () => {
    expect((await read()).inherited_from).toBeNull()
    const set = await ofParent({
      name: 'Agency',
      accent: '#0b6b52',
      logo: base64(aPng()),
      reply_to: 'hello@agency.example',
    })
    expect(set.body.inherited_from).toBeNull()
    const { workspace_id } = parent
    expect(await read()).toEqual({
      ...set.body,
      workspace_id: owner.workspace_id,
      inherited_from: { workspace_id, name: expect.any(String) },
      version: 1,
    })
    expect(await findLogo(workspace_id, digestIn((await read()).logo_url))).not.toBeNull()
    expect(await sender()).toEqual({
      from: { ...own, name: 'Agency' },
      reply_to: { name: null, address: 'hello@agency.example' },
    })
  })

  test('that chooses anything shows nothing of its parent’s, until it clears it all', async () => {
    await ofParent({ name: 'Agency', reply_to: 'hello@agency.example' })
    expect((await update(owner, { accent: '#0b6b52' })).body).toMatchObject({
      name: null,
      accent: '#0b6b52',
      reply_to: null,
      inherited_from: null,
    })
    expect(await sender()).toEqual({ from: own, reply_to: null })
    expect((await update(owner, { accent: null })).body).toMatchObject({ name: 'Agency', version: 3 })
  })

  test('that has left shows none of it, and a parent shows none of its child’s', async () => {
    await update(owner, { name: 'Client' })
    const { workspace_id } = parent
    const above = await call(ReadBranding, { as: parent, params: { workspace_id } })
    expect(above.body.name).toBeNull()
    await ofParent({ name: 'Agency' })
    await update(owner, { name: null })
    await db.workspace.update({
      where: { workspace_id: owner.workspace_id },
      data: { parent_workspace_id: null },
    })
    expect(await read()).toMatchObject({ name: null, inherited_from: null })
  })
})
