import { Button } from '#components/ui/controls/button'

/** What a mail program's own unsubscribe button does (RFC 8058): one POST to the address in the header. */
export function OneClick({ url }: { url: string }) {
  return (
    <form method="post" action={url} target="_blank" rel="noopener">
      <input type="hidden" name="List-Unsubscribe" value="One-Click" />
      <Button type="submit" size="sm">
        Unsubscribe in one click
      </Button>
    </form>
  )
}
