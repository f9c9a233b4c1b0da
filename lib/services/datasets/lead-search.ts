/**
 * SQL for what a search of leads looks into, in lower case: the names and the company of a row `r` of a dataset. Addresses
 * are a column of their own. Reading the rows of one dataset through costs less than an index that each import would write.
 */
export const searchTextSql = (r: string) =>
  `lower(concat_ws(' ', ${r}.data ->> 'first_name', ${r}.data ->> 'last_name', ${r}.data ->> 'full_name', ${r}.data ->> 'company'))`
