import type { Metadata } from 'next'
import { ContactPolicyForm } from '#components/workspaces/contact-policy-form'
import { ReadContactPolicy } from '#lib/contracts/workspaces/contact-policy'
import { requireUser } from '#lib/http/session'
import { getContactPolicy } from '#lib/services/workspaces/contact-policy'
import { saveContactPolicy } from './actions.ts'

export const metadata: Metadata = { title: 'Contact policy' }

export default async function ContactPolicyPage() {
  const user = await requireUser(ReadContactPolicy)
  const policy = ReadContactPolicy.response.parse(await getContactPolicy(user))
  return <ContactPolicyForm policy={policy} role={user.role} save={saveContactPolicy} />
}
