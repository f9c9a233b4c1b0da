'use client'

import { dropDrafts } from '#components/drafts/store'
import { Button } from '#components/ui/controls/button'

/** Signs out and returns to the invitation. */
export function AnotherAccount({ leave }: { leave: () => Promise<void> }) {
  return (
    <form action={leave} onSubmit={dropDrafts}>
      <Button type="submit" size="lg" className="w-full">
        Sign out and use another account
      </Button>
    </form>
  )
}
