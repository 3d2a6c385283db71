/**
 * The first paint: stands in the page itself (.build/inline-scripts.ts) and runs before anything is loaded. The frame of the
 * app where somebody is signed in, else the plate of the login (docs/decisions/speed.md).
 */
import { lastScope, scoped } from '#lib/browser/crm-scope.ts'
import { titleOf } from '#app/shell/screen-titles.ts'

const scope = lastScope()
const root = document.getElementById('root')
// a frame has no screen (`send-others.ts`)
if (root && window.parent === window) drawFrame(root)

function drawFrame(place: HTMLElement): void {
  let user: string | null = null
  let appName: string | null = null
  try {
    user = localStorage.getItem(scoped('genba:shell', scope))
    appName = localStorage.getItem('genba:app-name')
  } catch {
    // no storage: the app says so
  }
  const name = user === null || location.pathname === '/login' ? 'shell-login' : 'shell-app'
  const template = document.getElementById(name)
  if (template instanceof HTMLTemplateElement) place.append(template.content.cloneNode(true))
  if (name === 'shell-app') sayTitle(place)
  const plate = place.querySelector('.login-plate_name')
  if (plate && appName !== null) plate.textContent = appName
}

/** Whoever comes back to a form, because the phone had put the page away, sees at once where they are. */
function sayTitle(place: HTMLElement): void {
  const heading = place.querySelector('.app-bar_title')
  const title = titleOf(location.pathname)
  // beside a list and a rail it would stand elsewhere
  if (!heading || title === null || matchMedia('(min-width: 900px)').matches) return
  heading.textContent = title
  heading.classList.toggle('app-bar_long', title.includes('変更依頼'))
}
