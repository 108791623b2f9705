// Which page is shown: the address as a closed list of places, and links that do not load the page anew.

export type Route =
  | { page: 'lobby' }
  | { page: 'table'; table: number }
  | { page: 'rules'; table: number }
  | { page: 'shoe'; table: number; shoe: number }
  | { page: 'rounds' }
  | { page: 'dealer'; table: number | null }
  | { page: 'nowhere' };

/** Reads an address; what is no place of the house is `nowhere`. */
export function routeOf(path: string): Route {
  const parts = path.split('/').filter((part) => part !== '');
  const [page, which, more] = parts;
  if (more !== undefined) return { page: 'nowhere' };
  const table = which === undefined ? null : number(which);
  if (page === undefined) return { page: 'lobby' };
  if (page === 'rounds' && which === undefined) return { page };
  if (page === 'dealer' && (which === undefined || table !== null)) return { page, table };
  if ((page === 'table' || page === 'rules') && table !== null) return { page, table };
  if (page === 'shoe' && which !== undefined) {
    const [at, shoe] = which.split('-').map(number);
    if (which.split('-').length === 2 && at && shoe) return { page, table: at, shoe };
  }
  return { page: 'nowhere' };
}

/** A whole number from 1 without leading zeros. */
function number(text: string): number | null {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}

let path = $state(location.pathname);
/** Asked before a page is left; false keeps it. */
let mayLeave: (() => boolean) | null = null;

export function route(): Route {
  return routeOf(path);
}

/** Goes to another place of the house, unless the page that is left asks to stay. */
export function go(to: string): void {
  if (to === path || mayLeave?.() === false) return;
  history.pushState(null, '', to);
  path = to;
  window.scrollTo(0, 0);
}

/** The page asks to be asked before it is left; the answer undoes that. */
export function askBeforeLeaving(question: () => boolean): () => void {
  mayLeave = question;
  return () => {
    if (mayLeave === question) mayLeave = null;
  };
}

/** Follows the browser's own back and forward. The answer stops following. */
export function followHistory(): () => void {
  const follow = (): void => {
    path = location.pathname;
  };
  window.addEventListener('popstate', follow);
  return () => window.removeEventListener('popstate', follow);
}

/** Plain clicks on links within the house go there without loading the page. */
export function followLink(event: MouseEvent): void {
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!plain || event.defaultPrevented || link === null || link.target !== '') return;
  if (link.origin !== location.origin || link.hasAttribute('download')) return;
  if (link.pathname.startsWith('/api/')) return;
  event.preventDefault();
  go(link.pathname);
}
