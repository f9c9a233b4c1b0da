import { Shell } from '#components/shell/shell'
import { requireUser } from '#lib/http/session'
import { signOut } from '../(auth)/actions.ts'
import { searchEverything } from './search.ts'

/** The frame only: every page and action asks for the user itself, since a layout's redirect stops no page. */
export default async function DashboardLayout({ children }: LayoutProps<'/'>) {
  const { name, email } = await requireUser()
  return (
    <Shell user={{ name, email }} signOut={signOut} search={searchEverything}>
      {children}
    </Shell>
  )
}
