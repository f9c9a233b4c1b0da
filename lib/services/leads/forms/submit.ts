import { Form } from '#lib/contracts/leads/forms'
import { db, pool } from '#lib/db/client'
import { jsonText } from '#lib/db/json-text'
import { unsealOrNull } from '#lib/db/seal'
import { type FormField, readFormEntry } from '#lib/domain/leads/form-fields'
import { MAIL_EVERY_MS } from '#lib/domain/leads/form-mail'
import { networkPlace, networkPlaceLabel } from '#lib/domain/text/network-place'
import { AppError, ValidationError } from '#lib/errors'
import { takeToken } from '#lib/services/instance/rate-limits'
import { type FormSignature, holds } from '#lib/services/leads/forms/signature'

/** Entries per minute: from one network address over all forms, and for one form from everywhere. */
const PER_PLACE = 10
const PER_FORM = 120
/** Attempts per minute and network address, checked before any lookup, against guessing of tokens. */
const LOOKED_UP = 60
/** Most unconfirmed entries per form, so that no program can fill the database. */
const MAX_OPEN = 10_000
/** Field of a signed entry: the address of the visitor the server acts for. */
const VISITOR = 'visitor_ip'

const DAY_MS = 86_400_000

export type FormDoor = { form_id: string; allowed_origins: string[]; redirect_url: string | null }
type Loaded = FormDoor & {
  workspace_id: string
  name: string
  fields: FormField[]
  consent_text: string
  keep_days: number
  signing_secret: string | null
}

const isToken = (text: string) => /^[\w-]{20}$/.test(text)

/** The form with this token; throws `form_not_found` if there is none. */
export async function openForm(token: string, place: string, now: Date): Promise<Loaded> {
  await take(`form-place:${networkPlace(place).address}:asked`, LOOKED_UP, now)
  const row = isToken(token) ? await db.form.findUnique({ where: { token } }) : null
  if (!row) throw new AppError('form_not_found')
  return { ...row, fields: Form.shape.fields.parse(row.fields) }
}

async function take(bucket: string, perMinute: number, now: Date): Promise<void> {
  if ((await takeToken(bucket, perMinute, now)) < 0)
    throw new AppError('rate_limited', { retryAfterSeconds: Math.ceil(60 / perMinute) })
}

export type Posted = {
  /** The Origin header. */
  origin: string | null
  place: string
  signature: FormSignature
  fields: Record<string, unknown>
}

/** Whether a page of this origin may submit the form. Signed entries are judged by their signature alone. */
export const admitsOrigin = (
  { allowed_origins }: Pick<FormDoor, 'allowed_origins'>,
  origin: string | null,
): boolean => origin !== null && allowed_origins.includes(origin)

function requireSource(form: Loaded, { origin, signature }: Posted, now: Date): void {
  if (form.signing_secret !== null) {
    const secret = unsealOrNull(form.signing_secret)
    if (secret === null)
      throw new AppError('invalid_state', {
        message:
          'The form’s signing secret cannot be decrypted. Was ENCRYPTION_KEY changed? Create another form.',
      })
    if (!holds(signature, secret, now)) throw new AppError('signature_invalid')
  } else if (!admitsOrigin(form, origin)) throw new AppError('origin_not_allowed')
}

/**
 * Stores an entry until its address is confirmed. The answer is the same whoever the address belongs to and
 * whether or not anything was stored; what happens to the entry is decided later.
 */
export async function submitForm(form: Loaded, posted: Posted, now: Date): Promise<void> {
  requireSource(form, posted, now)
  const isSigned = form.signing_secret !== null
  const named = posted.fields[VISITOR]
  const visitor = isSigned && typeof named === 'string' ? named.slice(0, 64) : null
  // A server's own address stands for all of its visitors, so it is not counted.
  const place = isSigned ? visitor : posted.place
  if (place !== null) await take(`form-place:${networkPlace(place).address}`, PER_PLACE, now)
  await take(`form:${form.form_id}`, PER_FORM, now)
  const reading = readFormEntry(form.fields, posted.fields)
  if (reading.kind === 'trapped') return
  if (reading.kind === 'refused')
    throw new ValidationError([
      ...reading.missing.map((name) => ({ loc: ['body', name], msg: 'must be filled in', type: 'missing' })),
      ...reading.wrong.map((name) => ({ loc: ['body', name], msg: 'is not valid', type: 'value_error' })),
    ])
  const network = networkPlaceLabel(place)
  await keepEntry(form, { ...reading, network, origin: isSigned ? null : posted.origin }, now)
}

type Entry = { email: string; cells: Record<string, string>; network: string | null; origin: string | null }

/**
 * One open entry per address. The first one of a day counts, so that nobody without access to the mailbox can
 * change what its owner is about to confirm.
 */
async function keepEntry(form: Loaded, { email, cells, network, origin }: Entry, now: Date): Promise<void> {
  const expires_at = new Date(now.getTime() + form.keep_days * DAY_MS)
  await pool().query(
    `INSERT INTO form_entries AS e (workspace_id, form_id, form_name, email, cells, consent_text, origin, network,
       given_at, mail_due_at, expires_at)
     SELECT $1::uuid, $2::uuid, $3, $4, $5::jsonb, $6, $7, $8, $9::timestamptz, $9::timestamptz, $10::timestamptz
     WHERE (SELECT count(*) FROM (SELECT 1 FROM form_entries WHERE workspace_id = $1 AND form_id = $2
       AND confirmed_at IS NULL LIMIT ${MAX_OPEN}) open) < ${MAX_OPEN}
     ON CONFLICT (form_id, email) WHERE confirmed_at IS NULL DO UPDATE SET cells = excluded.cells,
       consent_text = excluded.consent_text, form_name = excluded.form_name, origin = excluded.origin,
       network = excluded.network, given_at = excluded.given_at, mail_due_at = excluded.mail_due_at,
       expires_at = excluded.expires_at, digest = NULL, mail_tries = 0, mail_error = NULL
     WHERE e.mailed_at <= $11::timestamptz`,
    [
      form.workspace_id,
      form.form_id,
      form.name,
      email,
      jsonText(cells),
      form.consent_text,
      origin,
      network,
      now,
      expires_at,
      new Date(now.getTime() - MAIL_EVERY_MS),
    ],
  )
}
