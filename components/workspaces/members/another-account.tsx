'use client'

import { dropDrafts } from '#components/drafts/store'
import { Button } from '#components/ui/controls/button'

/** Signs out, and comes back to the invitation as nobody. */
export function AnotherAccount({ leave }: { leave: () => Promise<void> }) {
  return (
    <form action={leave} onSubmit={dropDrafts}>
      <Button type="submit" size="lg" className="w-full">
        Sign out and use another account
      </Button>
    </form>
  )
}
