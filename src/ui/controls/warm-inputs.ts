/**
 * Creates and removes a time input before the user needs one. The page's first time input takes 60 ms to build on a
 * phone (4× CPU slowdown), which would delay the tap on 入館登録 or 退館報告.
 *
 * @param idle resolves when the screen is idle
 */
export async function warmTimeInput(idle: () => Promise<void>): Promise<void> {
  const input = document.createElement('input')
  await idle()
  input.type = 'time'
  await idle()
  input.ariaHidden = 'true'
  input.style.position = 'absolute'
  document.body.append(input)
  input.getBoundingClientRect()
  input.remove()
}
