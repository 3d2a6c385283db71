import '#lib/browser/own-script.ts'
import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { frameParts } from '#app/boot.ts'
import { frameScope } from '#app/crms/frame-address.ts'
import { start } from '#app/start.tsx'

const scope = frameScope(window)
// Not awaited, because the bundler does not merge the chunks of a module with a top-level await (.build/chunks.ts).
void (scope === null ? show() : import('#app/send-for.ts').then(({ sendFor }) => sendFor(scope, frameParts)))

async function show(): Promise<void> {
  const root = document.getElementById('root')
  if (!root) throw new Error('#root is missing')
  const app = await start()
  // A transition: code that is already loaded renders in the first step, without a fallback in between.
  startTransition(() => createRoot(root).render(<StrictMode>{app}</StrictMode>))
}
