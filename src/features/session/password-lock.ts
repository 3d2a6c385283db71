import { PASSWORD_LOCK_MS } from '#schemas/limits.ts'

const refuse = (event: KeyboardEvent) => {
  // a key that writes; Tab and Enter do what they always do
  if (event.key.length === 1) event.preventDefault()
}

/**
 * Refuses what is typed into a password field in its first moments, as a ref of the field: a key still pressed from the
 * page before types nothing (spec 9). The field is not read-only, which would keep a browser from filling in a saved login.
 * @returns ends the lock
 */
export function lockPassword(field: HTMLInputElement): () => void {
  const end = () => field.removeEventListener('keydown', refuse)
  field.addEventListener('keydown', refuse)
  const timer = setTimeout(end, PASSWORD_LOCK_MS)
  return () => {
    clearTimeout(timer)
    end()
  }
}
