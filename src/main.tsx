import '#lib/browser/own-script.ts'
import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { frameParts } from '#app/boot.ts'
import { frameScope } from '#app/crms/frame-address.ts'
import { start } from '#app/start.tsx'

const scope = frameScope(window)
// The result is not awaited, because the bundler merges no chunk of a module with a top-level await (.build/chunks.ts).
void (scope === null ? show() : import('#app/send-for.ts').then(({ sendFor }) => sendFor(scope, frameParts)))

async function show(): Promise<void> {
  const root = document.getElementById('root')
  if (!root) throw new Error('#root is missing')
  const app = await start()
  // In a transition, React renders code that is already loaded at once, without a Suspense fallback.
  startTransition(() => createRoot(root).render(<StrictMode>{app}</StrictMode>))
}
