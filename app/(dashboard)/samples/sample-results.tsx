import { countSamples } from '#lib/services/sandbox/removal'
import { hasSandbox } from '#lib/services/senders/sandbox'
import { SampleButton } from './sample-button.tsx'

/** For a page that would be worth looking at, had anything been sent: where there is a sandbox, and nothing was added yet. */
export async function SampleResults({ workspaceId }: { workspaceId: string }) {
  if (!hasSandbox() || (await countSamples(workspaceId)) > 0) return null
  return <SampleButton kind="history" variant="secondary" />
}

/** For who has nothing yet: results to look at, or a campaign to launch. */
export const SampleStart = ({ workspaceId }: { workspaceId: string }) => (
  <>
    <SampleResults workspaceId={workspaceId} />
    <SampleButton kind="campaign" />
  </>
)
