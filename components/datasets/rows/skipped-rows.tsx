import { Table, Td, Th, Tr } from '#components/ui/layout/table'
import type { AddedRows } from './added-rows.tsx'

/** Further rows are only counted. */
const MOST_SHOWN = 200

type Props = { skipped: AddedRows['skipped']; rows: Record<string, string>[] }

const firstCell = (row: Record<string, string> | undefined) => Object.values(row ?? {})[0] ?? 'Empty row'

export function SkippedRows({ skipped, rows }: Props) {
  return (
    <>
      <Table caption="Skipped rows">
        <thead>
          <tr>
            <Th className="w-16" numeric>
              Row
            </Th>
            <Th>Starts with</Th>
            <Th>Why it was skipped</Th>
          </tr>
        </thead>
        <tbody>
          {skipped.slice(0, MOST_SHOWN).map(({ index, message }) => (
            <Tr key={index}>
              <Td label="Row" numeric>
                {index + 1}
              </Td>
              <Td lead>
                <span className="block max-w-60 truncate">{firstCell(rows[index])}</span>
              </Td>
              <Td label="Why">{message}</Td>
            </Tr>
          ))}
        </tbody>
      </Table>
      {skipped.length > MOST_SHOWN && (
        <p className="mt-3 text-sm text-muted">
          And {(skipped.length - MOST_SHOWN).toLocaleString('en')} more.
        </p>
      )}
    </>
  )
}
