/* Places in a text. Which line is
 * a byte on? */
#define B
