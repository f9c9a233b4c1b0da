import { Fragment } from 'react'

/** An address that wraps after its @ and dots rather than within a word. */
export const breakable = (address: string) =>
  address.split(/(?<=[@.])/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one address have no other name than their place
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ))
