const SECRET = 'found by a secret, which tells whose it is'
const COUNTS = 'counts and times of the instance alone'
const DUE = 'whatever is due next, of whichever workspace; what is then done of it names the row'

/** Statements that name no workspace, by a part of each, and why. */
export const WITHOUT_WORKSPACE: Readonly<Record<string, string>> = {
  'SELECT d.bell, d.due, w.armed_for': COUNTS,
  'AS campaigns_due': COUNTS,
  'AS is_read_only': COUNTS,
  'SELECT EXISTS (SELECT 1 FROM contact_wakes) AS has_wakes': COUNTS,
  '"invitations"."digest" = $': SECRET,
  'WHERE k.key_digest = $1': SECRET,
  'AND c.next_slot_at <= $1 AND NOT c.campaign_id = ANY ($2)': DUE,
  'WHERE p.analytics_due_at <= $1 AND p.analytics_email': DUE,
  "FROM actions WHERE status = 'sending' AND lease_until < $1": DUE,
  'FROM contact_wakes ORDER BY wake_id LIMIT $1 FOR UPDATE SKIP LOCKED': DUE,
  'FROM inbox_messages WHERE follow_at <= $1': DUE,
  'FROM inbox_messages WHERE ask_model_at <= $1': DUE,
  'UPDATE inbox_messages SET ask_model_at = NULL': 'the instance has no model any more',
  'FROM mail_domains WHERE next_check_at <= $1': DUE,
  'FROM postmaster_accounts WHERE next_read_at <= $1': DUE,
  'WHERE b.next_try_at <= $1 ORDER BY b.next_try_at': DUE,
  '"campaigns"."launch_requested_at" < $2': DUE,
  '"campaigns"."start_date" <= $2': DUE,
  'FROM "public"."connected_accounts" WHERE 1=1 ORDER BY "public"."connected_accounts"."messages_read_until"':
    DUE,
  '"dataset_sessions"."session_updated_at" < $': DUE,
  '"personalization_runs"."updated_at" < $': DUE,
  '"workspace_imports"."updated_at" < $': DUE,
  '"workspace_imports"."created_at" < $2)': DUE,
  '"uploaded_files"."expires_at" <= $1)': DUE,
  'DELETE FROM attachments a WHERE coalesce(a.used_at, a.created_at) <= $1': DUE,
  'WHERE e.mail_due_at <= $1 AND e.confirmed_at IS NULL ORDER BY e.mail_due_at': DUE,
  'FROM form_entries WHERE digest = $1': SECRET,
  '"forms"."token" = $1': SECRET,
  'WHERE digest = $1 AND confirmed_at IS NULL AND expires_at > $2 RETURNING form_entry_id': SECRET,
  'FROM form_entries WHERE confirmed_at IS NULL AND expires_at <= $1 ORDER BY expires_at': DUE,
  'FROM datasets WHERE greatest(row_count, next_lead_index) - searched_to >= $1': DUE,
  'OR p.person_id > w.people_searched_to) OFFSET $1 - 1)': DUE,
  'FROM inbox_drafts WHERE send_at <= $1': DUE,
  'FROM campaigns WHERE auto_variant_weights AND status IN': DUE,
  "WHERE lease_owner = $1 AND status = 'sending'": 'what this worker itself has claimed',
  'SELECT DISTINCT c.domain FROM companies c': 'names of domains alone, to look up whose mail they keep',
}
