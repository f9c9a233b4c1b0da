import { db } from '#lib/db/client'
import { env } from '#lib/env'
import { isLocalOnly } from '#lib/services/instance/network-exposure'
import { createSenderProfile } from '#lib/services/messages/sender-profiles'
import { createTemplate } from '#lib/services/messages/templates'
import { DEMO } from '#lib/services/workspaces/sign-in/demo-account'
import { createUserWithPassword } from '#lib/services/workspaces/users'

const TEMPLATES = [
  {
    name: 'First touch',
    content: {
      subject: '{Quick question|A question} about {{ company | default: "your team" }}',
      body: `Hi {{ first_name | default: "there" }},

I read about {{ company | default: "what you do" }} and wondered who looks after outreach on your side.

We help teams write to people who want to hear from them, at their own pace and never twice. Would a short call next week suit you?

{{ sender.name }}
{{ sender.title }}`,
    },
  },
  {
    name: 'Follow-up',
    content: {
      subject: '',
      body: `Hi {{ first_name | default: "there" }},

Just making sure that my note below reached you. If it is not for you, one word is enough and I will not write again.

{{ sender.name }}`,
    },
  },
]

const PROFILE = {
  profile_name: 'Demo sender',
  sender_data: { name: 'Dana Demo', title: 'Founder', company: 'Opener' },
  description: 'Who the demo account writes as.',
  is_default: true,
}

/**
 * The demo account with all it needs for a first campaign, where nobody but this machine reaches the instance; everybody knows
 * its password. Run at every start: what its owner changed or deleted since stays as it is, and only its sandbox mailbox
 * follows the sandbox to another port.
 */
export async function seed(): Promise<void> {
  const there = await db.user.findUnique({ where: { email: DEMO.email } })
  if (!there && !isLocalOnly()) return
  const made = there ? null : await createUserWithPassword(DEMO.email, 'Demo', DEMO.password)
  if (made) {
    for (const template of TEMPLATES) await createTemplate(made, template)
    await createSenderProfile(made, PROFILE)
    // Nobody but this machine reaches it, so the machine's clock is its owner's.
    const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone
    await db.workspace.update({ where: { workspace_id: made.workspace_id }, data: { timezone } })
  }
  const port = env().SANDBOX_SMTP_PORT
  if (port) await connectSandbox(made !== null, port)
}

async function connectSandbox(isNew: boolean, port: number): Promise<void> {
  const smtp = { host: '127.0.0.1', port, security: 'none', username: null }
  const owner = await db.member.findFirstOrThrow({
    where: { role: 'owner', user: { email: DEMO.email } },
    orderBy: { created_at: 'asc' },
  })
  const mine = { workspace_id: owner.workspace_id, address: DEMO.email }
  if (isNew) {
    const limits = { daily_limit: 10_000, min_interval_seconds: 0 }
    await db.mailbox.create({ data: { ...mine, name: 'Dana Demo', smtp, ...limits } })
    return
  }
  // A mailbox that was pointed at a real server is its owner's; it is left alone.
  await db.mailbox.updateMany({
    where: {
      ...mine,
      AND: [
        { smtp: { path: ['host'], equals: smtp.host } },
        { smtp: { path: ['security'], equals: smtp.security } },
      ],
    },
    data: { smtp },
  })
}
