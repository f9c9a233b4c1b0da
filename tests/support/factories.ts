import { CreateTemplate } from '#lib/contracts/templates'
import { db } from '#lib/db/client'
import { createTemplate } from '#lib/services/templates'

let made = 0

/** A fresh user per test, instead of truncated tables. */
export async function aUser(
  fields: { email?: string; tier?: 'free' | 'starter' | 'growth' | 'scale'; timezone?: string } = {},
) {
  made += 1
  const email = fields.email ?? `user-${process.pid}-${made}@example.com`
  return db.user.create({ data: { email, name: `User ${made}`, ...fields } })
}

export async function aTemplate(
  owner: { user_id: string },
  content: { subject?: string; body?: string } = {},
) {
  const body = CreateTemplate.body.parse({
    name: 'First touch',
    content: {
      subject: 'Hello {{ first_name | default: "there" }}',
      body: 'A word about {{ company | default: "you" }}.',
      ...content,
    },
  })
  return createTemplate(owner.user_id, body)
}
