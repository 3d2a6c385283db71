/**
 * Paints an empty app layout if a user is signed in, otherwise the login form (docs/decisions/speed.md). This code is
 * inlined in the page (.build/inline-scripts.ts), so that it runs before anything is loaded.
 */
import { lastScope, scoped } from '#lib/browser/crm-scope.ts'
import { titleOf } from '#app/shell/screen-titles.ts'

const scope = lastScope()
const root = document.getElementById('root')
const isJapanese = document.documentElement.dataset['language'] === 'ja'
// A page in an iframe sends work for another CRM (`several.ts`) and paints nothing.
if (root && window.parent === window) drawFrame(root)

function drawFrame(place: HTMLElement): void {
  let user: string | null = null
  let appName: string | null = null
  try {
    user = localStorage.getItem(scoped('genba:shell', scope))
    appName = localStorage.getItem('genba:app-name')
  } catch {
    // Without storage the login is painted. The app shows the error later.
  }
  const name = user === null || location.pathname === '/login' ? 'shell-login' : 'shell-app'
  const template = document.getElementById(name)
  if (template instanceof HTMLTemplateElement) place.append(template.content.cloneNode(true))
  if (name === 'shell-app' && isJapanese) showTitle(place)
  // The heading stays empty until the texts of another language are loaded, so that no Japanese text flashes up.
  if (name === 'shell-login' && !isJapanese) place.querySelector('h1')?.replaceChildren()
  const plate = place.querySelector('.login-plate_name')
  if (plate && appName !== null) plate.textContent = appName
}

/** Shows the title of the screen at once, because a phone may have discarded the page while a form was open. */
function showTitle(place: HTMLElement): void {
  const heading = place.querySelector('.app-bar_title')
  const title = titleOf(location.pathname)
  // In the wide layout the title is not in this place.
  if (!heading || title === null || matchMedia('(min-width: 900px)').matches) return
  heading.textContent = title
  heading.classList.toggle('app-bar_long', title.includes('変更依頼'))
}
