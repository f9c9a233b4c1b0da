import { describe, expect, test } from 'vitest'
import type { Outcome } from '#lib/domain/sending/outcome'
import { AppError, invalid } from '#lib/errors'
import type { Loaded } from '#lib/services/messages/attached/attachments'
import { createCarried } from '#lib/services/messages/attached/carried-files'

const ACCEPTED: Outcome = { outcome: 'accepted', response: '250' }
const of = (...attachment_ids: string[]) => ({ workspace_id: 'w', attachment_ids })
const fileOf = (attachment_id: string, size = 30): Loaded => ({
  attachment_id,
  filename: `${attachment_id}.pdf`,
  content_type: 'application/pdf',
  size_bytes: size,
  content: new Uint8Array(size),
})
/** A loader that records what it read, in order. */
function counted(size = 30) {
  const reads: string[] = []
  const load = async (_: string, ids: string[]) => {
    reads.push(ids.join())
    return ids.map((id) => fileOf(id, size))
  }
  return { reads, load }
}

describe('files of steps', () => {
  test('are read once for many emails, also of those that ask at the same time', async () => {
    const { reads, load } = counted()
    const carry = createCarried(load, { cached_bytes: 100, underway_bytes: 1_000 })
    const names: string[] = []
    const send = async (files: Loaded[]) => {
      names.push(files.map(({ filename }) => filename).join())
      return ACCEPTED
    }
    await Promise.all(Array.from({ length: 50 }, () => carry(of('a', 'b'), send)))
    expect([reads, new Set(names)]).toEqual([['a,b'], new Set(['a.pdf,b.pdf'])])
    await carry(undefined, async (files) => {
      expect(files).toEqual([])
      return ACCEPTED
    })
  })

  test('are kept up to so many bytes: what was used last stays', async () => {
    const { reads, load } = counted(40)
    const carry = createCarried(load, { cached_bytes: 100, underway_bytes: 1_000 })
    for (const id of ['a', 'b', 'a', 'c', 'a', 'b']) await carry(of(id), async () => ACCEPTED)
    expect(reads).toEqual(['a', 'b', 'c', 'b'])
  })

  test('are of one workspace: another asks for its own', async () => {
    const asked: string[] = []
    const load = async (workspaceId: string) => {
      asked.push(workspaceId)
      return [fileOf('a')]
    }
    const carry = createCarried(load)
    for (const workspace_id of ['w', 'x'])
      await carry({ workspace_id, attachment_ids: ['a'] }, async () => ACCEPTED)
    expect(asked).toEqual(['w', 'x'])
  })

  test('are under way only as far as there is room, and one that is larger goes alone', async () => {
    const { load } = counted(57)
    // Each file takes 78 bytes of an email.
    const carry = createCarried(load, { cached_bytes: 0, underway_bytes: 160 })
    let underway = 0
    let most = 0
    const send = async () => {
      most = Math.max(most, ++underway)
      await new Promise((done) => setTimeout(done, 2))
      underway -= 1
      return ACCEPTED
    }
    const all = await Promise.all(Array.from({ length: 9 }, () => carry(of('a'), send)))
    expect([all.length, most]).toEqual([9, 2])
    expect(await carry(of('a', 'b', 'c'), send)).toEqual(ACCEPTED)
  })

  test.each([
    [
      new AppError('attachment_missing', { message: 'Gone.' }),
      { outcome: 'refused_for_now', response: 'Gone.' },
    ],
    [invalid(['body', 'attachment_ids'], 'x'), { outcome: 'refused_for_now' }],
    // The storage is unavailable: that does not count as a try.
    [new AppError('storage_unavailable', { message: 'Away.' }), { outcome: 'never_left', response: 'Away.' }],
  ])('that cannot be had keep the email from leaving: %s', async (error, outcome) => {
    let asked = 0
    const carry = createCarried(async () => {
      asked += 1
      throw error
    })
    let sent = 0
    const send = async () => {
      sent += 1
      return ACCEPTED
    }
    expect(await carry(of('a'), send)).toMatchObject(outcome)
    // A file that could not be read is requested again.
    await carry(of('a'), send)
    expect([sent, asked]).toEqual([0, 2])
  })
})
