/** @returns the database's name for a user: nothing of one user is visible to the next */
export async function databaseName(userId: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(userId))
  const hex = Array.from(new Uint8Array(bytes).slice(0, 8), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
  return `genba-${hex}`
}
