/** A sheet with a tick on it. Its colours are visible on light and dark tabs. */
export const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3.5" fill="#2f7fd6"/><path d="M4 8.4l2.8 2.8L12 5.4" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></svg>\n';
