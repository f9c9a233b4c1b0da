import { expect, test } from 'vitest'
import { CreateImage, DeleteImage, ListImages, MOST_IMAGES } from '#lib/contracts/messages/images'
import { db } from '#lib/db/client'
import { createImage, findImage } from '#lib/services/messages/images'
import { call } from '#tests/support/call'
import { aGif, aPng, aWebp } from '#tests/support/files/images'
import { aCampaign, aMailbox, aTemplate, aUser } from '#tests/support/scenes/factories'
import { MONDAY } from '#tests/support/scenes/launched'

const named = (bytes: Uint8Array<ArrayBuffer>, name = 'chart.png') => new File([bytes], name)
const pathOf = (url: string) => new URL(url).pathname

test('an image is shown to everybody at its address, byte for byte and as nothing else', async () => {
  const owner = await aUser()
  const png = aPng({ width: 30, height: 20 })
  const { status, body } = await call(CreateImage, { as: owner, body: { file: named(png) } })
  expect([status, body]).toEqual([
    201,
    expect.objectContaining({ content_type: 'image/png', width: 30, height: 20, size_bytes: png.length }),
  ])
  expect(body.url).toMatch(/^https?:\/\/.+\/files\/images\/[0-9a-f-]{36}\/[0-9a-f]{32}\.png$/)
  const [file = ''] = pathOf(body.url).split('/').slice(-1)
  const shown = await findImage(owner.workspace_id, file)
  expect(shown?.content_type).toBe('image/png')
  expect(Buffer.from(shown?.bytes ?? [])).toEqual(Buffer.from(png))
  expect(await findImage(owner.workspace_id, file.replace('.png', '.gif'))).toBeNull()
  expect(await findImage((await aUser()).workspace_id, file)).toBeNull()
})

test('the same image again is the same, and another has another address', async () => {
  const owner = await aUser()
  const upload = async (bytes: Uint8Array<ArrayBuffer>) =>
    (await call(CreateImage, { as: owner, body: { file: named(bytes) } })).body
  const first = await upload(aPng({ width: 4 }))
  expect(await upload(aPng({ width: 4 }))).toEqual(first)
  expect((await upload(aPng({ width: 5 }))).url).not.toBe(first.url)
  expect(await db.image.count({ where: { workspace_id: owner.workspace_id } })).toBe(2)
})

test.each<[string, Uint8Array<ArrayBuffer>, string]>([
  ['a WebP, which Outlook does not show', aWebp(), 'not_an_image'],
  [
    'a page under the name of an image',
    new TextEncoder().encode('<script>alert(1)</script>'),
    'not_an_image',
  ],
  ['an SVG, which may hold script', new TextEncoder().encode('<svg onload="alert(1)"/>'), 'not_an_image'],
  ['more pixels than a message has room for', aPng({ width: 2_401, height: 1 }), 'image_too_large'],
  ['more than 1 MB', new Uint8Array(1024 * 1024 + 1), 'image_too_large'],
])('refused is %s, and nothing is kept', async (_, bytes, code) => {
  const owner = await aUser()
  const { status, error } = await call(CreateImage, { as: owner, body: { file: named(bytes) } })
  expect([status, error.detail]).toEqual([400, code])
  expect(await db.image.count({ where: { workspace_id: owner.workspace_id } })).toBe(0)
})

test('a GIF may be animated', async () => {
  const owner = await aUser()
  const { body } = await call(CreateImage, { as: owner, body: { file: named(aGif()) } })
  expect([body.content_type, body.url.endsWith('.gif')]).toEqual(['image/gif', true])
})

test('a workspace keeps so many, also of those that come at once', async () => {
  const { workspace_id } = await aUser()
  const rows = Array.from({ length: MOST_IMAGES - 1 }, (_, n) => ({
    workspace_id,
    digest: `digest-${n}`,
    content_type: 'image/png',
    bytes: new Uint8Array(1),
    size_bytes: 1,
    width: 1,
    height: 1,
  }))
  await db.image.createMany({ data: rows })
  const uploads = [10, 11, 12].map((width) => createImage(workspace_id, named(aPng({ width })), MONDAY))
  const made = await Promise.allSettled(uploads)
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(made.find((one) => one.status === 'rejected')?.reason).toMatchObject({ code: 'images_full' })
  expect(await db.image.count({ where: { workspace_id } })).toBe(MOST_IMAGES)
})

/** An image of this owner, and a text that shows it. */
async function anImage(owner: Awaited<ReturnType<typeof aUser>>, width = 7) {
  const { body } = await call(CreateImage, { as: owner, body: { file: named(aPng({ width })) } })
  const params = { image_id: body.image_id }
  return {
    ...body,
    html: `<p><img src="${body.url}" alt="Sales"></p>`,
    remove: () => call(DeleteImage, { as: owner, params }),
  }
}

test('images are listed, the newest first and without those of others', async () => {
  const owner = await aUser()
  await anImage(await aUser())
  const urls = [(await anImage(owner, 8)).url, (await anImage(owner, 9)).url]
  const { body } = await call(ListImages, { as: owner })
  expect([body.total, body.items.map(({ url }) => url)]).toEqual([2, urls.toReversed()])
  expect(JSON.stringify(body)).not.toContain('"bytes"')
})

test('one that nothing shows is removed, and its address shows nothing', async () => {
  const owner = await aUser()
  const { url, remove, html } = await anImage(owner)
  // Neither an ended campaign nor a text of another workspace counts as showing it.
  const { campaign_id } = await aCampaign(owner, { steps_config: [{ subject: 'A', message_template: html }] })
  await db.campaign.update({ where: { campaign_id }, data: { status: 'completed' } })
  await aTemplate(await aUser(), { body: html })
  expect((await remove()).status).toBe(204)
  expect(await findImage(owner.workspace_id, pathOf(url).split('/').at(-1) ?? '')).toBeNull()
  expect((await remove()).status).toBe(404)
})

test.each<[string, (owner: Awaited<ReturnType<typeof aUser>>, html: string) => Promise<unknown>]>([
  ['a template', (owner, body) => aTemplate(owner, { body })],
  [
    'a step of a draft',
    (owner, html) => aCampaign(owner, { steps_config: [{ subject: 'A', message_template: html }] }),
  ],
  ['a signature', (owner, signature) => aMailbox(owner, { signature })],
  [
    'a template of a child workspace',
    async (owner, body) => {
      const child = await aUser()
      await db.workspace.update({
        where: { workspace_id: child.workspace_id },
        data: { parent_workspace_id: owner.workspace_id },
      })
      await aTemplate(child, { body })
    },
  ],
])('409 while %s shows it, by its name', async (_, show) => {
  const owner = await aUser()
  const { html, remove } = await anImage(owner)
  const other = await anImage(owner, 11)
  await show(owner, html)
  const { status, error } = await remove()
  expect([status, error.detail, error.message]).toEqual([
    409,
    'image_in_use',
    expect.stringMatching(/“.+” shows this image/),
  ])
  expect(await db.image.count({ where: { workspace_id: owner.workspace_id } })).toBe(2)
  expect((await other.remove()).status).toBe(204)
})
