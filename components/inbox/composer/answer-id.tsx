/** Of where one answers: its link comes from elsewhere on the page. */
export const ANSWER = 'answer'
