import { redirect } from 'next/navigation'
import { ReadAccount } from '#lib/contracts/workspaces/account'
import { requireUser } from '#lib/http/session'

export default async function StartPage() {
  await requireUser(ReadAccount)
  redirect('/home')
}
