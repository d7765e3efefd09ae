/* The parts of the HTML report that are the same in every one. */
#ifndef PTXOPT_REPORT_HTML_PAGE_H
#define PTXOPT_REPORT_HTML_PAGE_H

extern const char html_head[], html_controls[], html_foot[];

#endif
