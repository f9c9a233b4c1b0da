import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { CampaignReport } from '#components/campaigns/reports/campaign-report'
import { PrintButton } from '#components/campaigns/reports/print-button'
import { EmptyState } from '#components/ui/feedback/empty-state'
import { Panel } from '#components/ui/layout/panel'
import { ZonedTime } from '#components/ui/zoned-time'
import { BrandFrame } from '#components/workspaces/branding/brand-frame'
import { BrandMark } from '#components/workspaces/branding/brand-mark'
import { Branding } from '#lib/contracts/workspaces/branding'
import { placeOfRequest } from '#lib/http/session'
import { openReport } from '#lib/services/campaigns/reports/open-report'
import { findBranding } from '#lib/services/workspaces/branding'

export const metadata: Metadata = {
  title: { absolute: 'Report' },
  robots: { index: false, follow: false },
  referrer: 'no-referrer',
}

/** For anybody with the link; no sign-in. */
export default async function ReportPage({ params }: PageProps<'/r/[token]'>) {
  const { token } = await params
  const now = new Date()
  const report = await openReport(token, await placeOfRequest(), now)
  if (!report) notFound()
  const { name, workspace_id, workspace_name, timezone, campaigns } = report
  const branding = Branding.parse(await findBranding(workspace_id))
  return (
    <BrandFrame accent={branding.accent}>
      <main className="mx-auto grid max-w-4xl grid-cols-[minmax(0,1fr)] gap-8 px-4 py-8 sm:px-6">
        <header className="flex flex-wrap items-start justify-between gap-4">
          <div className="min-w-0">
            <BrandMark
              logo_url={branding.logo_url}
              name={branding.name ?? workspace_name}
              className="mb-2 text-sm text-muted"
            />
            <h1 className="text-xl font-semibold tracking-tight wrap-anywhere">{name}</h1>
            <p className="mt-1 text-sm text-muted">
              As of <ZonedTime at={now.toISOString()} zone={timezone} /> ({timezone})
            </p>
          </div>
          <PrintButton />
        </header>
        {campaigns.map((campaign) => (
          <CampaignReport key={campaign.campaign_id} {...campaign} />
        ))}
        {campaigns.length === 0 && (
          <Panel>
            <EmptyState title="No results yet" description="Campaigns appear here once they are launched." />
          </Panel>
        )}
      </main>
    </BrandFrame>
  )
}
