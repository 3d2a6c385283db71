/** The key of what belongs to one request on one working day. Apart from the records' definitions: a list needs it at once. */
export const visitKey = (requestId: string, workingDate: string) => `${requestId}_${workingDate}`
