import { Pagination } from '#components/ui/layout/pagination'
import { Panel } from '#components/ui/layout/panel'
import { Table, Td, Th, Tr } from '#components/ui/layout/table'
import { ExportMenu } from '#components/ui/overlays/export-menu'
import type { Query } from '#components/ui/query-href'
import type { Output } from '#lib/contracts/contract'
import type { ListDatasetRejects } from '#lib/contracts/datasets/datasets'

type Props = { path: string; query: Query; rejects: Output<typeof ListDatasetRejects> }

/** Row and cell as the spreadsheet program names them, so each can be found and fixed there. */
export function RejectTable({ path, query, rejects }: Props) {
  return (
    <Panel title="Refused rows" flush action={<ExportMenu path={`${path}/export`} />}>
      <Table caption="Refused rows">
        <thead>
          <tr>
            <Th>Place</Th>
            <Th>Column</Th>
            <Th>Value</Th>
            <Th className="w-2/5">Why it was refused</Th>
          </tr>
        </thead>
        <tbody>
          {rejects.items.map((reject) => (
            <Tr key={`${reject.row_number}-${reject.code}`}>
              <Td lead>{reject.cell ?? `Row ${reject.row_number}`}</Td>
              <Td label="Column">{reject.column_name ?? '–'}</Td>
              <Td label="Value">
                {reject.value ? (
                  <code className="font-mono text-xs wrap-anywhere">{reject.value}</code>
                ) : (
                  <span className="text-muted">empty</span>
                )}
              </Td>
              <Td label="Why">{reject.reason}</Td>
            </Tr>
          ))}
        </tbody>
      </Table>
      <Pagination
        path={path}
        query={query}
        page={rejects.page}
        page_size={rejects.page_size}
        total={rejects.total}
        noun="rows"
      />
    </Panel>
  )
}
