import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { SettingsTabs } from '#components/workspaces/settings-tabs'
import { ReadAccount } from '#lib/contracts/workspaces/account'
import { requireUser } from '#lib/http/session'
import { closedPages } from '../closed-pages.ts'

/** Title and tabs of all settings pages. A page below adds panels, and an entry in SettingsTabs. */
export default async function SettingsLayout({ children }: LayoutProps<'/settings'>) {
  const { role } = await requireUser(ReadAccount)
  return (
    <>
      <PageHeader title="Settings" below={<SettingsTabs closed={closedPages(role)} />} />
      <div className="max-w-5xl">
        <PageBody>{children}</PageBody>
      </div>
    </>
  )
}
