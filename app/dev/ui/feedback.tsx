import { Database } from 'lucide-react'
import { Button } from '#components/ui/controls/button'
import { LinkButton } from '#components/ui/controls/link-button'
import { Callout } from '#components/ui/feedback/callout'
import { EmptyState } from '#components/ui/feedback/empty-state'
import { ErrorState } from '#components/ui/feedback/error-state'
import { MissingState } from '#components/ui/feedback/missing-state'
import { Skeleton, TableSkeleton } from '#components/ui/feedback/skeleton'
import { Spinner } from '#components/ui/feedback/spinner'
import { Panel } from '#components/ui/layout/panel'

export function Feedback() {
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Panel title="Callouts">
        <div className="grid gap-2">
          <Callout>Sending rests until Monday 09:00, when the window opens.</Callout>
          <Callout tone="success" title="Ready to launch">
            Every check has passed.
          </Callout>
          <Callout
            tone="warning"
            title="12 leads have no first name"
            action={<Button size="sm">Show them</Button>}
          >
            They get the fallback “there”.
          </Callout>
          <Callout tone="danger" title="The launch failed">
            No mailboxes connected. <a href="/mailboxes">Connect one</a>
          </Callout>
        </div>
      </Panel>
      <Panel title="Empty">
        <EmptyState
          icon={<Database />}
          title="No leads yet"
          description="A dataset is a table of people to write to. Import one from a spreadsheet, or try it with 50 made-up people."
          action={
            <>
              <LinkButton href="/dev/ui" variant="primary">
                Import a spreadsheet
              </LinkButton>
              <Button>Use sample data</Button>
            </>
          }
        />
      </Panel>
      <Panel title="Error">
        <ErrorState
          title="The campaigns could not be loaded"
          description="The database did not answer. Sending goes on; only this page is affected."
          reference="01930c7e-2f6a"
          action={<Button>Try again</Button>}
        />
      </Panel>
      <Panel title="Nothing there">
        <MissingState
          title="Page not found"
          description="It may have been deleted, or it belongs to another account."
        />
      </Panel>
      <Panel title="Loading" flush>
        <TableSkeleton rows={5} />
        <div className="flex items-center gap-3 border-t border-border p-4">
          <Skeleton className="size-8" />
          <Spinner label="Saving" />
        </div>
      </Panel>
    </div>
  )
}
