"""Calls run without the GIL, and any number at a time."""

import concurrent.futures
import threading
import time
import unittest

import ptxopt
import texts


class Threads(unittest.TestCase):
    def test_results(self):
        """threads: many at a time give what one at a time gives"""
        pairs = [texts.example(name) for name in texts.examples()] * 8
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            results = list(pool.map(lambda pair: ptxopt.optimize(pair[0]), pairs))
            reports = list(pool.map(lambda _: results[0].report("json"), range(16)))
        self.assertEqual([one.text for one in results], [expected for _, expected in pairs])
        self.assertEqual(len(set(reports)), 1)

    def test_free(self):
        """threads: another thread goes on while a call is in the library"""
        text = texts.large(400)
        done = threading.Event()

        def work():
            try:
                ptxopt.optimize(text).text
            finally:
                done.set()

        thread = threading.Thread(target=work)
        thread.start()
        turns = 0
        while not done.is_set():
            time.sleep(0.001)
            turns += 1
        thread.join()
        self.assertGreater(turns, 5)

    def test_one_text(self):
        """threads: several work on one text, and all of them ask whether it is given up"""
        text = texts.large(100)
        self.assertEqual(ptxopt.optimize(text, threads=4).text, ptxopt.optimize(text).text)
        asking = set()

        def ask():
            asking.add(threading.get_ident())
            return False

        self.assertTrue(ptxopt.optimize(text, threads=4, cancelled=ask).changed)
        self.assertGreater(len(asking), 1)
        with self.assertRaises(ZeroDivisionError):
            ptxopt.optimize(text, threads=4, cancelled=lambda: 1 // 0)

    def test_between(self):
        """threads: a call begins and ends while another waits in the middle"""
        inside, ended = threading.Event(), threading.Event()

        def wait():
            inside.set()
            return not ended.wait(60)

        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            waiting = pool.submit(ptxopt.optimize, texts.TWO_WAITS, cancelled=wait)
            self.assertTrue(inside.wait(60))
            self.assertTrue(ptxopt.optimize(texts.TWO_WAITS).changed)
            ended.set()
            self.assertTrue(waiting.result(60).changed)
