import type { Metadata } from 'next'
import { IntentRulesForm } from '#components/inbox/rules/intent-rules-form'
import { AskAdmin } from '#components/workspaces/ask-admin'
import { ContactPolicyForm } from '#components/workspaces/contact-policy-form'
import { ReadContactPolicy } from '#lib/contracts/workspaces/contact-policy'
import { requireUser } from '#lib/http/session'
import { readIntentRules } from '#lib/services/inbox/intent/rules'
import { getContactPolicy } from '#lib/services/workspaces/contact-policy'
import { ruleChoices } from '../../rule-choices.ts'
import { saveContactPolicy, saveIntentRules } from './actions.ts'

export const metadata: Metadata = { title: 'Contact policy' }

export default async function ContactPolicyPage() {
  const user = await requireUser(ReadContactPolicy)
  const [policy, rules, choices] = await Promise.all([
    getContactPolicy(user),
    readIntentRules(user, null),
    ruleChoices(user, null),
  ])
  return (
    <div className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-4">
      <ContactPolicyForm
        policy={ReadContactPolicy.response.parse(policy)}
        role={user.role}
        save={saveContactPolicy}
      />
      <AskAdmin role={user.role} needs="admin">
        <IntentRulesForm rules={rules} choices={choices} save={saveIntentRules} />
      </AskAdmin>
    </div>
  )
}
