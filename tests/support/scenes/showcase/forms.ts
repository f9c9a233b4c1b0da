import { CreateForm } from '#lib/contracts/leads/forms'
import { db } from '#lib/db/client'
import { digestLink } from '#lib/services/leads/forms/confirmation'
import { createForm } from '#lib/services/leads/forms/forms'
import type { Owner } from './outreach.ts'
import { LEADS } from './people.ts'

const SITE = 'https://www.meridian.example'
const CONSENT = 'Send me the monthly letter of Meridian. I can unsubscribe at any time.'

type Where = { dataset: string; mailbox_id: string; campaign_id: string }

/** A form with people who confirmed and one who has not yet; returns the token of that person's link. */
export async function aShownForm(owner: Owner, { dataset, mailbox_id, campaign_id }: Where, now: Date) {
  const { workspace_id } = owner
  const form_link = crypto.randomUUID()
  const body = CreateForm.body.parse({
    name: 'Monthly letter',
    fields: [
      { name: 'email', column: 'email', required: true },
      { name: 'first_name', column: 'first_name' },
    ],
    consent_text: CONSENT,
    mail_subject: 'Please confirm your address',
    mail_text: 'Thank you for signing up. One step is missing.',
    mailbox_id,
    campaign_id,
    allowed_origins: [SITE],
  })
  const { form_id, url } = await createForm(owner, dataset, body)
  const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000)
  const entry = (email: string, index: number) => ({
    workspace_id,
    form_id,
    form_name: body.name,
    email,
    cells: { email },
    consent_text: CONSENT,
    origin: SITE,
    network: '192.0.2.0/24',
    given_at: ago(40 + index),
    expires_at: new Date(now.getTime() + 6 * 86_400_000),
  })
  const confirmed = { confirmed_at: ago(39), confirmed_network: '192.0.2.0/24', outcome: 'updated' }
  const people = LEADS.slice(0, 12).map(({ email }) => email)
  await db.formEntry.createMany({
    data: [
      ...people.map((email, index) => ({ ...entry(email, index), ...confirmed })),
      { ...entry('greta@hollis.example', 20), digest: digestLink(form_link), mailed_at: ago(1) },
    ],
  })
  return { form_link, form: url.split('/').at(-1) ?? '' }
}
