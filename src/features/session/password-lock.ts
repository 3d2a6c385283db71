import { PASSWORD_LOCK_MS } from '#schemas/limits.ts'

const refuse = (event: KeyboardEvent) => {
  // Blocks keys that type a character; Tab and Enter still work.
  if (event.key.length === 1) event.preventDefault()
}

/**
 * Ignores key presses in a password field during its first moments, so that a key held since the previous page
 * types nothing (spec 9). The field is not read-only, because that would prevent a browser from filling in a saved
 * login. Used as the field's ref.
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
