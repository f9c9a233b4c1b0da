/** A percentage with its counts in the tooltip; a dash if nothing was counted, since 0 of 0 is no rate. */
export function Rate({ count, of, noun }: { count: number; of: number; noun: string }) {
  if (of === 0) return <span className="text-muted">–</span>
  return (
    <span title={`${count.toLocaleString('en')} of ${of.toLocaleString('en')} ${noun}`}>
      {((100 * count) / of).toFixed(1)} %
    </span>
  )
}
