import { cookies } from 'next/headers'
import type { ColumnChoice } from '#components/lists/column-chooser'
import { type Choosable, columnCookie, shownColumns } from '#components/lists/columns'

type Table = { table: string; path: string; all: Choosable[] }

/** The columns this browser has stored for a table; `asked` comes from the URL and takes precedence. */
export async function columnChoice({ table, path, all }: Table, asked?: string): Promise<ColumnChoice> {
  const kept = (await cookies()).get(columnCookie(table))?.value
  return { table, path, all, shown: shownColumns(all, asked ?? kept) }
}
