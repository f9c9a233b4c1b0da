type Page<Item> = { items: Item[]; total: number }

/** All items of a list, page by page: `allItems((page) => client.listSuppressions({ query: page }))`. */
export async function allItems<Item>(
  list: (query: { page: number; page_size: number }) => Promise<Page<Item>>,
): Promise<Item[]> {
  const items: Item[] = []
  for (let page = 1; ; page += 1) {
    const answer = await list({ page, page_size: 100 })
    items.push(...answer.items)
    if (answer.items.length === 0 || items.length >= answer.total) return items
  }
}
