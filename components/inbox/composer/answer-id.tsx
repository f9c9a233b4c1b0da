/** Id of the reply form, used by a link elsewhere on the page. */
export const ANSWER = 'answer'
