import * as fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll } from 'vitest'
import { CreateSocialPost, type SocialPost } from '#lib/contracts/posts/social-posts'
import { call } from '#tests/support/call'

// Set before any module reads the environment.
export const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'opener-posts-'))
process.env.DATA_DIR = folder
afterAll(() => fs.rmSync(folder, { recursive: true }))

type User = { workspace_id: string; user_id: string }

export function form(fields: Record<string, string | File>) {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.set(name, value)
  return data
}

export async function made(owner: User, fields: Record<string, string | File> = {}): Promise<SocialPost> {
  const { status, body, error } = await call(CreateSocialPost, {
    as: owner,
    body: form({ text: 'Hello', ...fields }),
  })
  if (status !== 201) throw new Error(JSON.stringify(error))
  return body
}
