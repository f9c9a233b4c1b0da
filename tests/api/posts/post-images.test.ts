import * as fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { CreateSocialPost, DeleteSocialPost, UpdateSocialPost } from '#lib/contracts/posts/social-posts'
import { db, pool } from '#lib/db/client'
import { describeTool } from '#lib/http/mcp/tool'
import { openFile, removeStrays } from '#lib/services/files/files'
import { fileStorage } from '#lib/services/files/storage'
import { eraseAccount, prepareErasure } from '#lib/services/workspaces/erasure'
import { call } from '#tests/support/call'
import { aJpeg, aPng, exif } from '#tests/support/files/images'
import { aUser } from '#tests/support/scenes/factories'
import { folder, form, made } from '#tests/support/scenes/posts'
import { GET } from '../../../app/(public)/files/[token]/route.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const filesThere = () =>
  fs.existsSync(path.join(folder, 'files'))
    ? fs
        .readdirSync(path.join(folder, 'files'), { recursive: true, withFileTypes: true })
        .filter((f) => f.isFile())
    : []

const png = (bytes: Uint8Array<ArrayBuffer> = aPng(), name = 'a.png') => new File([bytes], name)

describe('an image', () => {
  test('is judged by its content, stored without its place, and served as what it is', async () => {
    const owner = await aUser()
    const image = new File([aJpeg({ extra: [exif(6, '52.5200')] })], '../../evil.html', { type: 'text/html' })
    const { attachments } = await made(owner, { image })
    expect(attachments).toEqual([
      {
        id: expect.any(String),
        type: 'image',
        url: expect.stringContaining('/files/f1.'),
        filename: 'evil.jpg',
        size_bytes: expect.any(Number),
        content_type: 'image/jpeg',
      },
    ])
    const served = await serve(attachments[0]?.url)
    const bytes = Buffer.from(await served.arrayBuffer())
    expect(served.status).toBe(200)
    expect(served.headers.get('content-type')).toBe('image/jpeg')
    expect(served.headers.get('x-content-type-options')).toBe('nosniff')
    expect(served.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    expect(served.headers.get('content-disposition')).toMatch(/^attachment; /)
    expect(bytes.length).toBe(attachments[0]?.size_bytes)
    expect(bytes.includes('52.5200')).toBe(false)
  })

  test.each(['text/html', 'image/svg+xml'])(
    'that was kept as %s after all goes as bytes to be saved, never as a page',
    async (content_type) => {
      const { attachments } = await made(await aUser(), { image: png() })
      await db.socialPostAttachment.updateMany({
        where: { id: attachments[0]?.id ?? '' },
        data: { content_type },
      })
      const { headers } = await serve(attachments[0]?.url)
      expect(headers.get('content-type')).toBe('application/octet-stream')
      expect(headers.get('content-disposition')).toMatch(/^attachment; /)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    },
  )

  test.each([
    ['an SVG', new File(['<svg xmlns="http://www.w3.org/2000/svg"/>'], 'a.png', { type: 'image/png' })],
    ['a page', new File(['<html></html>'], 'a.jpg', { type: 'image/jpeg' })],
    ['a bomb', png(aPng({ claimed: { width: 50_000, height: 50_000 } }))],
    ['more than 10 MiB', new File([new Uint8Array(10 * 1024 * 1024 + 1)], 'a.png')],
    ['more than the body may have', new File([new Uint8Array(11 * 1024 * 1024)], 'a.png')],
  ])('that is %s is 400 with the reason, and nothing is stored', async (_, image) => {
    const owner = await aUser()
    const before = filesThere().length
    const { status, error } = await call(CreateSocialPost, {
      as: owner,
      body: form({ text: 'Hello', image }),
    })
    expect([status, error]).toEqual([400, { detail: expect.stringMatching(/image|larger/) }])
    expect(filesThere()).toHaveLength(before)
    expect(await db.socialPost.count({ where: { workspace_id: owner.workspace_id } })).toBe(0)
  })

  test('may be given to the tools too', () => {
    for (const contract of [CreateSocialPost, UpdateSocialPost])
      expect([...describeTool(contract).files]).toEqual(['image'])
  })

  test('that is empty, as browsers send none, is none', async () => {
    expect((await made(await aUser(), { image: new File([], '') })).attachments).toEqual([])
    // As a Server Action receives an empty file field.
    expect((await made(await aUser(), { image: new File([], 'undefined') })).attachments).toEqual([])
  })

  test('goes from the storage with its post, with what replaces it, and with its owner', async () => {
    const owner = await aUser()
    const before = filesThere().length
    const first = await made(owner, { image: png() })
    const second = await made(owner, { image: png() })
    expect(filesThere()).toHaveLength(before + 2)
    const changed = await call(UpdateSocialPost, {
      as: owner,
      params: { post_id: first.id },
      body: form({ image: png(), text: 'Another' }),
    })
    expect(changed.body.attachments).toHaveLength(1)
    expect(changed.body.attachments[0]?.id).not.toBe(first.attachments[0]?.id)
    await removeStrays(pool(), fileStorage, new Date())
    expect(filesThere()).toHaveLength(before + 2)
    expect((await serve(first.attachments[0]?.url)).status).toBe(404)
    const removed = await call(UpdateSocialPost, {
      as: owner,
      params: { post_id: first.id },
      body: form({ remove_image: 'true' }),
    })
    expect(removed.body).toMatchObject({ attachments: [], text: 'Another' })
    await call(DeleteSocialPost, { as: owner, params: { post_id: second.id } })
    expect(filesThere()).toHaveLength(before)
    await made(owner, { image: png() })
    const { token } = await prepareErasure(owner.user_id, new Date())
    await eraseAccount(owner.user_id, { token, email: owner.email }, new Date())
    expect(filesThere()).toHaveLength(before)
  })

  test('of a request that died before its post was written goes after an hour, and not before', async () => {
    const storage = fileStorage()
    const location = `posts/${crypto.randomUUID()}.png`
    await db.strayFile.create({ data: { storage: 'disk', location, remove_at: new Date(Date.now() + HOUR) } })
    await storage.put(location, aPng(), 'image/png')
    await removeStrays(pool(), fileStorage, new Date())
    expect(await storage.read(location)).not.toBeNull()
    await removeStrays(pool(), fileStorage, new Date(Date.now() + HOUR + 1))
    expect(await storage.read(location)).toBeNull()
  })

  test('opens for nobody by an address that was altered, or by another owner’s id', async () => {
    const owner = await aUser()
    const { attachments } = await made(owner, { image: png() })
    const url = attachments[0]?.url ?? ''
    expect((await serve(url.slice(0, -1) + (url.endsWith('A') ? 'B' : 'A'))).status).toBe(404)
    expect((await serve('http://x/files/..%2f..%2fsecrets.json')).status).toBe(404)
    const token = url.split('/').at(-1) ?? ''
    expect(await openFile(token, new Date())).toMatchObject({ workspace_id: owner.workspace_id })
    expect(await openFile(token, new Date(Date.now() + 72 * HOUR))).toBeNull()
    await db.socialPostAttachment.updateMany({
      where: { workspace_id: owner.workspace_id },
      data: { workspace_id: (await aUser()).workspace_id },
    })
    expect((await serve(url)).status).toBe(404)
  })
})

async function serve(url = '') {
  const token = decodeURIComponent(url.split('/').at(-1) ?? '')
  return GET(new Request(url), { params: Promise.resolve({ token }) })
}
