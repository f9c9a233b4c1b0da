import { redirect } from 'next/navigation'
import { requireUser } from '#lib/http/session'

export default async function StartPage() {
  await requireUser('client')
  redirect('/home')
}
