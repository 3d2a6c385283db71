/**
 * The first paint (docs/decisions/speed.md): the app's frame if a user is signed in, else the login plate. Inlined in the
 * page (.build/inline-scripts.ts), so that it runs before anything is loaded.
 */
import { lastScope, scoped } from '#lib/browser/crm-scope.ts'
import { titleOf } from '#app/shell/screen-titles.ts'

const scope = lastScope()
const root = document.getElementById('root')
const isJapanese = document.documentElement.dataset['language'] === 'ja'
// A frame that sends for another CRM (`send-others.ts`) has no screen.
if (root && window.parent === window) drawFrame(root)

function drawFrame(place: HTMLElement): void {
  let user: string | null = null
  let appName: string | null = null
  try {
    user = localStorage.getItem(scoped('genba:shell', scope))
    appName = localStorage.getItem('genba:app-name')
  } catch {
    // The app shows later that there is no storage.
  }
  const name = user === null || location.pathname === '/login' ? 'shell-login' : 'shell-app'
  const template = document.getElementById(name)
  if (template instanceof HTMLTemplateElement) place.append(template.content.cloneNode(true))
  if (name === 'shell-app' && isJapanese) showTitle(place)
  // The heading stays empty until the catalogue arrives, so that Japanese does not flash up.
  if (name === 'shell-login' && !isJapanese) place.querySelector('h1')?.replaceChildren()
  const plate = place.querySelector('.login-plate_name')
  if (plate && appName !== null) plate.textContent = appName
}

/** Shows the screen's title at once, for a user who returns to a form after the phone discarded the page. */
function showTitle(place: HTMLElement): void {
  const heading = place.querySelector('.app-bar_title')
  const title = titleOf(location.pathname)
  // The wide layout has the title elsewhere.
  if (!heading || title === null || matchMedia('(min-width: 900px)').matches) return
  heading.textContent = title
  heading.classList.toggle('app-bar_long', title.includes('変更依頼'))
}
